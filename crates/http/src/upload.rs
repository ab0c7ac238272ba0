//! Forms with a file.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use hansang_core::{Error, message};

use crate::form::Form;
use crate::input::whole_body;
use crate::problem::Problem;
use crate::{HttpCode, messages};

/// The media type of a form with a file.
pub const MEDIA_TYPE: &str = "multipart/form-data";
/// The maximum number of fields.
const MAX_FIELDS: usize = 100;
/// The maximum bytes of the fields before a file that is read while it arrives.
const MAX_FIELD_BYTES: usize = 64 * 1024;

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

/// Marks requests whose files are read while they arrive.
#[derive(Clone, Copy, Debug)]
pub struct Streamed;

/// A form whose file is read while it arrives. The fields before the file are known; those behind it are ignored.
pub struct StreamedUpload {
    /// The fields before the file, the CSRF secret among them.
    pub form: Form,
    /// The name of the file as the browser gave it; empty without a file.
    pub file_name: String,
    file: Option<multer::Field<'static>>,
}

/// A form that the guard has begun to read, to check the CSRF secret.
#[derive(Clone)]
pub(crate) struct Begun(Arc<Mutex<Option<StreamedUpload>>>);

impl Begun {
    pub(crate) fn new(sent: StreamedUpload) -> Self {
        Self(Arc::new(Mutex::new(Some(sent))))
    }

    fn take(&self) -> Option<StreamedUpload> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl StreamedUpload {
    /// Reads a form up to its file.
    ///
    /// # Errors
    /// A body that is not such a form, is cut off, or has large fields.
    pub async fn begin(headers: &HeaderMap, body: Body) -> Result<Self, Error> {
        let unreadable = || Error::invalid(HttpCode::BodyUnreadable, message!(messages::BODY_UNREADABLE));
        let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let boundary = media.and_then(|media| multer::parse_boundary(media).ok()).ok_or_else(unreadable)?;
        let mut parts = multer::Multipart::new(body.into_data_stream(), boundary);
        let (mut fields, mut bytes) = (Vec::new(), 0);
        while let Some(mut part) = parts.next_field().await.map_err(|_| unreadable())? {
            if let Some(file_name) = part.file_name().map(str::to_owned) {
                return Ok(Self { form: Form::of(fields), file_name, file: Some(part) });
            }
            let (name, mut text) = (part.name().unwrap_or_default().to_owned(), Vec::new());
            while let Some(piece) = part.chunk().await.map_err(|_| unreadable())? {
                bytes += piece.len();
                if bytes > MAX_FIELD_BYTES {
                    return Err(unreadable());
                }
                text.extend_from_slice(&piece);
            }
            fields.push((name, String::from_utf8(text).map_err(|_| unreadable())?));
            if fields.len() > MAX_FIELDS {
                return Err(unreadable());
            }
        }
        Ok(Self { form: Form::of(fields), file_name: String::new(), file: None })
    }

    /// The pieces of the file; none without one.
    pub fn pieces(self) -> impl Stream<Item = Result<Bytes, multer::Error>> + Send + Unpin + use<> {
        stream::iter(self.file).flatten()
    }
}

impl<S: Send + Sync> FromRequest<S> for StreamedUpload {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        if let Some(sent) = request.extensions().get::<Begun>().and_then(Begun::take) {
            return Ok(sent);
        }
        let (parts, body) = request.into_parts();
        Ok(Self::begin(&parts.headers, body).await?)
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

    #[tokio::test]
    async fn a_file_is_read_while_it_arrives() {
        let headers = HeaderMap::from_iter([(
            header::CONTENT_TYPE,
            "multipart/form-data; boundary=x".parse().unwrap(),
        )]);
        let head = "--x\r\ncontent-disposition: form-data; name=\"csrf\"\r\n\r\nsecret\r\n\
            --x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n";
        // The file never ends, and the form is known all the same.
        let first =
            stream::iter([Ok::<_, std::io::Error>(Bytes::from(head)), Ok(Bytes::from(vec![b'a'; 4096]))]);
        let body = Body::from_stream(first.chain(stream::pending()));
        let sent = StreamedUpload::begin(&headers, body).await.unwrap();
        assert_eq!((sent.form.text("csrf"), &*sent.file_name), ("secret", "a.png"));
        assert!(!sent.pieces().next().await.unwrap().unwrap().is_empty());
        let large =
            format!("--x\r\ncontent-disposition: form-data; name=\"csrf\"\r\n\r\n{}", "a".repeat(80_000));
        let refused = StreamedUpload::begin(&headers, Body::from(large)).await.err().unwrap();
        assert_eq!(refused.code, HttpCode::BodyUnreadable);
    }
}
