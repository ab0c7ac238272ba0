//! Images of pages.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::{DynamicImage, RgbaImage};

use super::page::PageText;
use crate::event::ImageFile;
use crate::extract::picture;
use crate::limits::{Options, Scans};
use crate::trouble::Trouble;

/// How much larger than 72 dots an inch a small page is drawn at most.
const MAX_SCALE: f32 = 4.2;

/// The images of a page.
#[derive(Default)]
pub(super) struct Drawn {
    pub(super) image: Option<ImageFile>,
    pub(super) scan: Option<ImageFile>,
}

/// Draws a page for people, and for OCR where it has no text but something to see.
pub(super) fn images<'a>(
    page: &'a Page<'a>,
    number: u32,
    cache: &RenderCache<'a>,
    settings: &InterpreterSettings,
    text: &PageText,
    options: &Options,
) -> Result<Drawn, Trouble> {
    if options.images.is_none() {
        return Ok(Drawn::default());
    }
    let scanned = text.text.is_empty() && text.ink;
    let scans = match options.scans {
        Scans::None => false,
        Scans::WithoutText => scanned,
        Scans::All => text.ink || !text.text.is_empty(),
    };
    let side = if scans { picture::SCAN_SIDE } else { options.image_side };
    let Some(drawn) = draw(page, cache, settings, side) else { return Ok(Drawn::default()) };
    let scan = if scans { picture::scan(&drawn, number, options)? } else { None };
    Ok(Drawn { image: picture::image(&drawn, number, options, scanned)?, scan })
}

fn draw<'a>(
    page: &'a Page<'a>,
    cache: &RenderCache<'a>,
    settings: &InterpreterSettings,
    side: u32,
) -> Option<DynamicImage> {
    let (width, height) = page.render_dimensions();
    let longest = width.max(height);
    if !longest.is_finite() || longest < 1.0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let scale = (side as f32 / longest).min(MAX_SCALE);
    // A side of less than a pixel cannot be drawn.
    if width.min(height) * scale < 1.0 {
        return None;
    }
    let pixels = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let drawn = hayro::render(page, cache, settings, &RenderSettings::default(), &pixels);
    let (width, height) = (u32::from(drawn.width()), u32::from(drawn.height()));
    let image = RgbaImage::from_raw(width, height, drawn.data_as_u8_slice().to_vec())?;
    Some(DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(image).to_rgb8()))
}
