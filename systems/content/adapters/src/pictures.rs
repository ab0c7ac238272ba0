//! Reading and resizing pictures, with bounded memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use hansang_content::Variant;
use hansang_core::{Message, message};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageDecoder as _, ImageEncoder as _, ImageReader, Limits};

use crate::messages;

/// The quality of JPEG files, from 1 to 100.
const QUALITY: u8 = 82;

/// A picture that was read, and its smaller sizes as files.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) variants: Vec<(Variant, PathBuf)>,
}

/// Reads a picture and writes its smaller sizes into a folder. Decoding needs about 8 bytes a pixel; a picture with more pixels
/// than `max_pixels` is refused by its header, before it is decoded. A file that is not smaller than the original is not kept.
pub(crate) fn read(
    file: &Path,
    folder: &Path,
    widths: &[u32],
    max_pixels: u64,
    animated: bool,
) -> Result<Picture, Message> {
    let damaged = || message!(messages::DAMAGED);
    let original = std::fs::metadata(file).map_err(|_| damaged())?.len();
    let reader = ImageReader::new(BufReader::new(File::open(file).map_err(|_| damaged())?));
    let mut reader = reader.with_guessed_format().map_err(|_| damaged())?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(max_pixels.saturating_mul(8).saturating_add(16 << 20));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| damaged())?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > max_pixels {
        return Err(message!(messages::TOO_MANY_PIXELS, max_pixels / 1_000_000));
    }
    // A smaller size of an animation would stand still.
    if animated {
        return Ok(Picture { width, height, variants: Vec::new() });
    }
    let orientation = decoder.orientation().map_err(|_| damaged())?;
    let mut decoded = DynamicImage::from_decoder(decoder).map_err(|_| damaged())?;
    decoded.apply_orientation(orientation);
    let (width, height) = (decoded.width(), decoded.height());
    let opaque = !decoded.color().has_alpha();
    let source = decoded.into_rgba8();
    let opaque = opaque || source.pixels().all(|pixel| pixel.0[3] == u8::MAX);
    let source = Image::from_vec_u8(width, height, source.into_raw(), PixelType::U8x4).map_err(|_| damaged())?;
    let mut variants = Vec::new();
    for wanted in widths.iter().copied().filter(|wanted| *wanted < width) {
        let scaled = (u64::from(height) * u64::from(wanted)).div_ceil(u64::from(width)).max(1);
        let scaled = u32::try_from(scaled).map_err(|_| damaged())?;
        let mut smaller = Image::new(wanted, scaled, PixelType::U8x4);
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        Resizer::new().resize(&source, &mut smaller, &options).map_err(|_| damaged())?;
        let (content_type, end) = if opaque { ("image/jpeg", "jpg") } else { ("image/png", "png") };
        let name = format!("{wanted}.{end}");
        let path = folder.join(&name);
        encode(&path, smaller, opaque).map_err(|_| damaged())?;
        let size = std::fs::metadata(&path).map_err(|_| damaged())?.len();
        if size < original {
            let (size, width, height) = (i64::try_from(size).unwrap_or(i64::MAX), wanted.into(), scaled.into());
            let content_type = content_type.to_owned();
            variants.push((Variant { name, content_type, size, width, height }, path));
        }
    }
    Ok(Picture { width, height, variants })
}

/// Whether a file is a WebP with the flag of an animation in its header.
pub(crate) fn is_animated_webp(file: &Path) -> bool {
    let mut header = [0; 21];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.starts_with(b"RIFF") && &header[8..16] == b"WEBPVP8X" && header[20] & 2 != 0
}

fn encode(path: &Path, picture: Image<'_>, opaque: bool) -> io::Result<()> {
    let (width, height) = (picture.width(), picture.height());
    let pixels = picture.into_vec();
    let mut out = BufWriter::new(File::create(path)?);
    let written = if opaque {
        let colors: Vec<u8> = pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        JpegEncoder::new_with_quality(&mut out, QUALITY).encode(&colors, width, height, ExtendedColorType::Rgb8)
    } else {
        PngEncoder::new(&mut out).write_image(&pixels, width, height, ExtendedColorType::Rgba8)
    };
    written.map_err(io::Error::other)?;
    out.flush()
}
