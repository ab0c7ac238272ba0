//! Pictures: one page without text, which OCR may read.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageReader};

use super::Sink;
use crate::event::{Facts, ImageFile, Segment, SegmentKind};
use crate::limits::{MEGABYTE, Options, Scans};
use crate::trouble::{Format, Trouble};

/// The longest side of an image for OCR, in pixels: 300 dots an inch of a page of A4.
pub(super) const SCAN_SIDE: u32 = 3508;

pub(super) fn read(file: &Path, options: &Options, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    sink.facts(Facts { format: Format::Picture, pages: Some(1), title: None, language: None })?;
    let picture = open(file, options)?;
    let image = image(&picture, 0, options, true)?;
    let scan = scan(&picture, 0, options)?;
    let (title, text, blocks) = (None, String::new(), Vec::new());
    sink.page(Segment { index: 0, kind: SegmentKind::Page, title, text, blocks, image, scan })
}

fn open(file: &Path, options: &Options) -> Result<DynamicImage, Trouble> {
    let too_large = Trouble::TooManyPixels(options.limits.megapixels);
    let reader = ImageReader::new(BufReader::new(File::open(file)?)).with_guessed_format()?;
    let mut decoder = reader.into_decoder().map_err(|error| trouble(&error, &too_large))?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > options.limits.megapixels * 1_000_000 {
        return Err(too_large);
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(options.limits.memory_mb * MEGABYTE);
    decoder.set_limits(limits).map_err(|error| trouble(&error, &too_large))?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| trouble(&error, &too_large))?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn trouble(error: &ImageError, too_large: &Trouble) -> Trouble {
    match error {
        ImageError::Limits(error) if !matches!(error.kind(), LimitErrorKind::Unsupported { .. }) => {
            too_large.clone()
        }
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Trouble::Truncated(Format::Picture)
        }
        _ => Trouble::Damaged(Format::Picture),
    }
}

/// The image for people, scaled to a bounded size. Scans are small as JPEG, drawn text as PNG.
pub(super) fn image(
    picture: &DynamicImage,
    index: u32,
    options: &Options,
    scanned: bool,
) -> Result<Option<ImageFile>, Trouble> {
    let Some(folder) = &options.images else { return Ok(None) };
    let scaled = scale(picture, options.image_side);
    let name = if scanned { format!("{index:06}.jpg") } else { format!("{index:06}.png") };
    write(&scaled, folder, name).map(Some)
}

/// The image for OCR, in shades of grey.
pub(super) fn scan(
    picture: &DynamicImage,
    index: u32,
    options: &Options,
) -> Result<Option<ImageFile>, Trouble> {
    let Some(folder) = options.images.as_ref().filter(|_| options.scans != Scans::None) else {
        return Ok(None);
    };
    let scaled = scale(picture, SCAN_SIDE).grayscale();
    write(&scaled, folder, format!("{index:06}-scan.png")).map(Some)
}

fn scale(picture: &DynamicImage, side: u32) -> DynamicImage {
    if picture.width().max(picture.height()) <= side {
        return opaque(picture);
    }
    opaque(&picture.thumbnail(side, side))
}

/// The picture on white: a transparent one would be black.
fn opaque(picture: &DynamicImage) -> DynamicImage {
    if !picture.color().has_alpha() {
        return picture.clone();
    }
    let mut image = picture.to_rgba8();
    for pixel in image.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        let over = |part: u8| {
            let sum = u16::from(part) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
            u8::try_from(sum / 255).unwrap_or(255)
        };
        pixel.0 = [over(red), over(green), over(blue), 255];
    }
    DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(image).to_rgb8())
}

fn write(picture: &DynamicImage, folder: &Path, name: String) -> Result<ImageFile, Trouble> {
    let failed = |_: ImageError| Trouble::NotReadable;
    let mut file = std::io::BufWriter::new(File::create(folder.join(&name))?);
    let (width, height) = (picture.width(), picture.height());
    if name.ends_with(".png") {
        let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive);
        let grey = matches!(picture, DynamicImage::ImageLuma8(_));
        let picture = if grey { picture.clone() } else { DynamicImage::ImageRgb8(picture.to_rgb8()) };
        picture.write_with_encoder(encoder).map_err(failed)?;
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut file, 82);
        DynamicImage::ImageRgb8(picture.to_rgb8()).write_with_encoder(encoder).map_err(failed)?;
    }
    std::io::Write::flush(&mut file)?;
    Ok(ImageFile { name, width, height })
}
