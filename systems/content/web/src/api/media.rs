//! Media: pictures and documents of posts and banners.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, on};
use futures_util::{StreamExt as _, TryStreamExt as _};
use hansang_access::Role;
use hansang_content::{find_media, media, media_uses};
use hansang_core::Error;
use hansang_core::message;
use hansang_core::validate::violation;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, cursor_parameter, json_answer, query_parameter};
use hansang_server::Caller;
use hansang_server::schema::response;
use serde_json::json;

use super::output::PageOf;
use super::output::media::{ShownMedia, UsedMedia};
use super::sent::media::SentMedia;
use super::{Api, Asked, Responded, ask, tagged};
use crate::actions::act;
use crate::actions::media::{CHANGE_MEDIA, CutOff, DELETE_MEDIA, NewFile, UPLOAD_MEDIA};
use crate::messages as api;

impl Api {
    pub(super) fn media_routes(&self) -> Vec<Route> {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
        let page = vec![query_parameter("limit", false, limit, message!(api::LIMIT)), cursor_parameter()];
        vec![
            self.read(
                "media",
                "media.list",
                (message!(api::LIST_MEDIA), message!(api::THE_MEDIA)),
                Role::Editor,
                page,
                async move |desk, _, asked: Parameters| {
                    let page = media(&desk.content, ask(asked)?).await?;
                    let items = page.media.into_iter().map(ShownMedia::of).collect();
                    Ok(PageOf { items, next: page.next })
                },
            ),
            self.read(
                "media/{id}",
                "media.get",
                (message!(api::GET_MEDIUM), message!(api::THE_MEDIUM)),
                Role::Editor,
                Vec::new(),
                async move |desk, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let id = key.text("id");
                    let media = find_media(&desk.content, &id).await?;
                    Ok(UsedMedia::of(media, media_uses(&desk.content, &id).await?))
                },
            ),
            self.upload_route(),
            self.change::<SentMedia, _, _, _>(
                (Method::PUT, "media/{id}"),
                CHANGE_MEDIA,
                (StatusCode::OK, Role::Editor),
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.text()?, revision))
                },
                |media, _| ShownMedia::of(media),
            ),
            self.order::<_, _, ShownMedia>(
                (Method::DELETE, "media/{id}"),
                DELETE_MEDIA,
                Role::Editor,
                |asked: Asked<()>| Ok((asked.text("id"), asked.revision()?)),
                None,
            ),
        ]
    }

    /// The body is the file, which is read while it arrives. Its type is that of its content.
    fn upload_route(&self) -> Route {
        let api = self.clone();
        let handler = async move |caller: Caller, mut asked: Parameters, body: Body| -> Responded {
            let (filename, alt) = (asked.take("filename").unwrap_or_default(), asked.take("alt"));
            asked.finish()?;
            if filename.trim().is_empty() {
                return Err(Error::fields(vec![violation("filename", message!(api::NAME_FILE))]).into());
            }
            let pieces = body.into_data_stream().map_err(|_| CutOff).boxed();
            let file = NewFile { filename, alt, pieces };
            let media = act(&UPLOAD_MEDIA, &api.calls, &api.desk, &caller, file).await?;
            Ok(tagged(StatusCode::CREATED, ShownMedia::of(media)))
        };
        let text = |most: u32| json!({ "type": "string", "minLength": 1, "maxLength": most });
        let mut route = self.route(
            Method::POST,
            "media",
            UPLOAD_MEDIA.name,
            UPLOAD_MEDIA.summary(),
            self.needs(Role::Editor),
        );
        route.parameters = vec![
            query_parameter("filename", true, text(200), message!(api::FILE_NAME)),
            query_parameter("alt", false, json!({ "type": "string", "maxLength": 500 }), message!(api::ALT)),
        ];
        let file = json!({ "schema": { "type": "string", "format": "binary" } });
        route.body = Some(json!({ "required": true, "content": { "application/octet-stream": file } }));
        route.answers =
            vec![(201, json_answer(message!(api::CHANGED), response::<ShownMedia>(self.model())))];
        route.refusals = &[409];
        route.streams = true;
        route.handler = on(MethodFilter::POST, handler);
        route
    }
}
