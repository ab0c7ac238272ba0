//! Uploads into a directory: pictures and what only claims to be one.

use std::io::Cursor;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use hansang_content::{
    ContentCode, Media, MediaText, NewCategory, NewPost, PostText, Save, UseKind, change_media,
    create_category, create_post, delete_media, file_key, find_media, media, media_uses, purge_media,
    save_post,
};
use hansang_content_adapters::{UploadLimits, upload};
use hansang_core::db::Ask;
use hansang_core::files::{FileBody, Files};
use hansang_core::{CoreCode, Error};
use hansang_embedded::Directory;
use image::{ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use tempfile::TempDir;

use crate::grounds::Ground;

/// A site with a folder for uploads and one for files.
struct Library {
    ground: Ground,
    files: Directory,
    folder: TempDir,
}

impl Library {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("uploads")).unwrap();
        let files = Directory::new(&folder.path().join("files"));
        Self { ground: Ground::new().await, files, folder }
    }

    async fn upload(&self, name: &str, content: &[u8]) -> Result<Media, Error> {
        self.upload_to(&self.files, name, content).await
    }

    async fn upload_to(&self, files: &dyn Files, name: &str, content: &[u8]) -> Result<Media, Error> {
        let pieces: Vec<_> =
            content.chunks(1000).map(|piece| Ok::<_, ()>(Bytes::copy_from_slice(piece))).collect();
        let limits = UploadLimits { max_bytes: 4 << 20, ..UploadLimits::default() };
        let folder = self.folder.path().join("uploads");
        let content = &self.ground.content;
        upload(content, files, &folder, &limits, "ann", name, Some("그림"), stream::iter(pieces)).await
    }

    async fn read(&self, media: &Media, name: &str) -> Option<Vec<u8>> {
        let body = self.files.get(&file_key(&media.id, name), None).await.unwrap()?;
        let bytes: Vec<Bytes> = body.chunks.try_collect().await.unwrap();
        assert_eq!(bytes.iter().map(Bytes::len).sum::<usize>() as u64, body.size);
        Some(bytes.concat())
    }

    /// The files that are stored, and what uploads left behind.
    fn counts(&self) -> (usize, usize) {
        let count = |name: &str| std::fs::read_dir(self.folder.path().join(name)).map_or(0, Iterator::count);
        (count("files"), count("uploads"))
    }
}

fn encoded(picture: &image::DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A picture that compresses badly, so that smaller sizes have fewer bytes.
fn noise(width: u32, height: u32) -> image::DynamicImage {
    let mut chance = fastrand::Rng::with_seed(7);
    RgbImage::from_fn(width, height, |_, _| Rgb([chance.u8(..), chance.u8(..), chance.u8(..)])).into()
}

/// A picture is stored with smaller sizes; its focal point and its text can be changed.
#[tokio::test]
async fn a_picture_is_stored_in_sizes() {
    let library = Library::new().await;
    let original = encoded(&noise(1200, 600), ImageFormat::Jpeg);
    let made = library.upload("C:\\사진\\풍경.jpg", &original).await.unwrap();
    assert_eq!((&*made.filename, &*made.content_type), ("풍경.jpg", "image/jpeg"));
    assert_eq!((made.width, made.height, made.alt.as_deref()), (Some(1200), Some(600), Some("그림")));
    let sizes: Vec<_> = made.variants.iter().map(|one| (&*one.name, one.width, one.height)).collect();
    assert_eq!(sizes, [("320.jpg", 320, 160), ("640.jpg", 640, 320), ("1024.jpg", 1024, 512)]);
    for variant in &made.variants {
        let bytes = library.read(&made, &variant.name).await.unwrap();
        assert_eq!((bytes.len() as i64, made.type_of(&variant.name)), (variant.size, Some("image/jpeg")));
        let decoded = image::load_from_memory(&bytes).unwrap();
        assert_eq!(
            (i64::from(decoded.width()), i64::from(decoded.height())),
            (variant.width, variant.height)
        );
        assert!(bytes.len() < original.len());
    }
    assert_eq!(library.read(&made, &made.original()).await.unwrap(), original);
    assert_eq!(made.path(), format!("/media/{}/original.jpg", made.id));
    let text = MediaText { filename: "풍경.jpg".to_owned(), alt: None, focus: Some((30, 70)) };
    let changed = change_media(&library.ground.content, &made.id, &text, made.revision).await.unwrap();
    assert_eq!((changed.focus_x, changed.focus_y, changed.alt), (Some(30), Some(70), None));
    let wrong = MediaText { focus: Some((101, 0)), ..text };
    assert!(change_media(&library.ground.content, &made.id, &wrong, changed.revision).await.is_err());
    assert_eq!(library.counts(), (1, 0));
}

/// Transparency stays; a file that would be larger than the original is not kept; a document has no sizes.
#[tokio::test]
async fn sizes_fit_the_original() {
    let library = Library::new().await;
    let mut chance = fastrand::Rng::with_seed(7);
    let glass = RgbaImage::from_fn(700, 300, |_, _| Rgba([chance.u8(..), chance.u8(..), chance.u8(..), 128]));
    let made = library.upload("glass.png", &encoded(&glass.into(), ImageFormat::Png)).await.unwrap();
    assert_eq!(made.variants[0].content_type, "image/png");
    let small = image::load_from_memory(&library.read(&made, "320.png").await.unwrap()).unwrap().into_rgba8();
    assert!((126..=130).contains(&small.get_pixel(100, 50).0[3]));
    // One color: the original has a few hundred bytes.
    let flat: image::DynamicImage = RgbImage::from_pixel(2000, 10, Rgb([9, 9, 9])).into();
    let made = library.upload("flat.png", &encoded(&flat, ImageFormat::Png)).await.unwrap();
    assert!(made.variants.iter().all(|variant| variant.size < made.size), "{made:?}");
    let pdf = library.upload("문서.pdf", b"%PDF-1.7\n%rest").await.unwrap();
    assert_eq!((&*pdf.content_type, pdf.width, pdf.variants.len()), ("application/pdf", None, 0));
    let listed = media(&library.ground.content, Ask::default()).await.unwrap();
    assert_eq!(listed.media.len(), 3);
}

/// What is no picture by its content, is damaged or too large is refused, and leaves nothing behind.
#[tokio::test]
async fn other_files_are_refused() {
    let library = Library::new().await;
    let mut bomb = encoded(&noise(8, 8), ImageFormat::Jpeg);
    let frame = bomb.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    // The header claims 50,000 × 50,000 pixels.
    bomb[frame + 5..frame + 9].copy_from_slice(&[0xc3, 0x50, 0xc3, 0x50]);
    let png = encoded(&noise(64, 64), ImageFormat::Png);
    for (name, content, why) in [
        ("x.jpg", &b"<!DOCTYPE html><script>alert(1)</script>"[..], "JPEG"),
        ("x.jpg", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "JPEG"),
        ("x.png", b"MZ\x90\x00", "JPEG"),
        ("x.png", b"", "JPEG"),
        ("bomb.jpg", &bomb, "megapixels"),
        ("cut.png", &png[..png.len() / 2], "damaged"),
        ("large.png", &vec![0; (4 << 20) + 1], "MB"),
    ] {
        let refused = library.upload(name, content).await.unwrap_err();
        assert_eq!(refused.code, ContentCode::MediaRefused, "{name}");
        assert!(refused.to_string().contains(why), "{name}: {refused}");
    }
    let broken = stream::iter([Ok(Bytes::from_static(b"\x89PNG")), Err(())]);
    let folder = library.folder.path().join("uploads");
    let content = &library.ground.content;
    let cut =
        upload(content, &library.files, &folder, &UploadLimits::default(), "ann", "x.png", None, broken)
            .await;
    assert_eq!(cut.unwrap_err().code, ContentCode::MediaRefused);
    assert!(media(content, Ask::default()).await.unwrap().media.is_empty());
    assert_eq!(library.counts(), (0, 0));
}

/// A medium that a post or its draft shows is not deleted; afterwards it is, with its files.
#[tokio::test]
async fn a_medium_in_use_is_not_deleted() {
    let library = Library::new().await;
    let content = &library.ground.content;
    let made = library.upload("x.png", &encoded(&noise(400, 400), ImageFormat::Png)).await.unwrap();
    let news =
        NewCategory { id: Some("news".to_owned()), title: "소식".to_owned(), ..NewCategory::default() };
    create_category(content, news).await.unwrap();
    let shows =
        format!("![그림]({})\n\n![없음](/media/01JD3Q0V8B5X9K2M4N6P7R8S9T/original.png)", made.path());
    let text = PostText { title: "글".to_owned(), contents: shows, ..PostText::default() };
    let new = NewPost {
        category_id: "news".to_owned(),
        author_id: "ann".to_owned(),
        text: text.clone(),
        ..NewPost::default()
    };
    let post = create_post(content, "ann", new).await.unwrap();
    let uses = media_uses(content, &made.id).await.unwrap();
    assert_eq!((uses.len(), uses[0].kind, &uses[0].of), (1, UseKind::Post, &post.id));
    let refused = delete_media(content, &library.files, &made.id, made.revision).await.unwrap_err();
    assert_eq!(refused.code, ContentCode::MediaInUse);
    let made = find_media(content, &made.id).await.unwrap();
    let save = Save { text: PostText { contents: String::new(), ..text }, revision: 1, keep: true };
    save_post(content, "ann", &post.id, &save).await.unwrap();
    assert!(delete_media(content, &library.files, &made.id, made.revision - 1).await.is_err(), "stale");
    delete_media(content, &library.files, &made.id, made.revision).await.unwrap();
    assert_eq!(library.counts(), (0, 0));
    let gone = find_media(content, &made.id).await.unwrap_err();
    assert_eq!(gone.code, ContentCode::MediaUnknown);
}

/// Files that can be stored once.
#[derive(Debug)]
struct Full<'f>(&'f Directory, std::sync::atomic::AtomicUsize);

#[async_trait]
impl Files for Full<'_> {
    async fn put(&self, key: &str, content_type: &str, file: &Path) -> Result<(), Error> {
        if self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            return self.0.put(key, content_type, file).await;
        }
        self.0.put(key, content_type, Path::new("/none")).await
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        self.0.get(key, range).await
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        self.0.delete(key).await
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        self.0.delete_all(folder).await
    }

    async fn address(
        &self,
        key: &str,
        name: Option<&str>,
        lifetime: Duration,
    ) -> Result<Option<String>, Error> {
        self.0.address(key, name, lifetime).await
    }

    async fn upload_address(
        &self,
        key: &str,
        content_type: &str,
        size: u64,
        lifetime: Duration,
    ) -> Result<Option<String>, Error> {
        self.0.upload_address(key, content_type, size, lifetime).await
    }
}

/// An upload that ends in the middle is not listed, and its files are deleted after a day.
#[tokio::test]
async fn an_abandoned_upload_is_deleted() {
    let library = Library::new().await;
    let content = &library.ground.content;
    let picture = encoded(&noise(400, 400), ImageFormat::Png);
    let full = Full(&library.files, 0.into());
    let failed = library.upload_to(&full, "x.png", &picture).await.unwrap_err();
    assert_eq!(failed.code, CoreCode::FilesUnavailable);
    assert!(media(content, Ask::default()).await.unwrap().media.is_empty());
    assert_eq!((library.counts(), purge_media(content, &library.files).await.unwrap()), ((1, 0), 0));
    library.ground.pass(24 * 3600);
    assert_eq!(purge_media(content, &library.files).await.unwrap(), 1);
    assert_eq!(library.counts(), (0, 0));
}

/// Keys that are no files are not found.
#[tokio::test]
async fn files_stay_in_their_directory() {
    let library = Library::new().await;
    assert!(library.files.get("none/original.png", None).await.unwrap().is_none());
    assert!(library.files.get("../Cargo.toml", None).await.is_err());
    library.files.delete("none/original.png").await.unwrap();
    let made = library.upload("x.png", &encoded(&noise(4, 4), ImageFormat::Png)).await.unwrap();
    assert!(library.files.get(&made.id, None).await.unwrap().is_none(), "a folder is no file");
    let body = library.files.get(&file_key(&made.id, "original.png"), None).await.unwrap().unwrap();
    assert!(body.chunks.count().await > 0);
}
