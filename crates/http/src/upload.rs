//! Forms with a file.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use hansang_core::{Error, message};

use crate::form::Form;
use crate::input::whole_body;
use crate::problem::Problem;
use crate::{HttpCode, messages};

/// The media type of a form with a file.
pub const MEDIA_TYPE: &str = "multipart/form-data";
/// The maximum number of fields.
const MAX_FIELDS: usize = 100;

/// A submitted form with a file.
#[derive(Clone, Debug, Default)]
pub struct Upload {
    /// The other fields.
    pub form: Form,
    /// The name of the file as the browser gave it; empty without a file.
    pub file_name: String,
    /// The content of the file.
    pub bytes: Bytes,
}

impl Upload {
    /// The form in a body.
    ///
    /// # Errors
    /// A body that is not such a form, or was cut off.
    pub async fn parse(headers: &HeaderMap, body: Bytes) -> Result<Self, Error> {
        let unreadable = || Error::invalid(HttpCode::BodyUnreadable, message!(messages::BODY_UNREADABLE));
        let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let boundary = media.and_then(|media| multer::parse_boundary(media).ok()).ok_or_else(unreadable)?;
        let stream = Body::from(body).into_data_stream();
        let mut parts = multer::Multipart::new(stream, boundary);
        let (mut upload, mut fields) = (Self::default(), Vec::new());
        while let Some(part) = parts.next_field().await.map_err(|_| unreadable())? {
            let name = part.name().unwrap_or_default().to_owned();
            match part.file_name().map(str::to_owned) {
                Some(file_name) => {
                    upload.file_name = file_name;
                    upload.bytes = part.bytes().await.map_err(|_| unreadable())?;
                }
                None => fields.push((name, part.text().await.map_err(|_| unreadable())?)),
            }
            if fields.len() > MAX_FIELDS {
                return Err(unreadable());
            }
        }
        upload.form = Form::of(fields);
        Ok(upload)
    }
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        // The guard has read the form already, to check the CSRF secret.
        if let Some(sent) = request.extensions().get::<Self>() {
            return Ok(sent.clone());
        }
        let headers = request.headers().clone();
        Ok(Self::parse(&headers, whole_body(request, state).await?).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn fields_and_a_file_are_read() {
        let headers = HeaderMap::from_iter([(
            header::CONTENT_TYPE,
            "multipart/form-data; boundary=\"x y\"".parse().unwrap(),
        )]);
        let body = "--x y\r\ncontent-disposition: form-data; name=\"csrf\"\r\n\r\nsecret\r\n\
            --x y\r\ncontent-disposition: form-data; name=\"file\"; filename=\"내역.csv\"\r\ncontent-type: text/csv\r\n\r\na,b\r\n1,2\r\n\r\n--x y--\r\n";
        let upload = Upload::parse(&headers, body.into()).await.unwrap();
        assert_eq!((upload.form.text("csrf"), &*upload.file_name), ("secret", "내역.csv"));
        assert_eq!(&*upload.bytes, b"a,b\r\n1,2\r\n");
        let half = Upload::parse(&headers, body[..body.len() - 20].into()).await;
        assert_eq!(half.unwrap_err().code, HttpCode::BodyUnreadable);
        assert!(Upload::parse(&HeaderMap::new(), body.into()).await.is_err());
    }
}
