//! The text of a page: its glyphs in the order in which they are drawn, joined to words and lines.

use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt as _, interpret_page,
};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{Affine, BezPath, Point, Rect};
use unicode_normalization::UnicodeNormalization as _;

use crate::event::{Block, Bounds, share};

/// The glyphs of a page that are read. A page of a newspaper has 30,000.
const MAX_GLYPHS: usize = 300_000;
/// A gap of this share of the size of a font is a space.
const SPACE: f64 = 0.22;
/// Text that moves across its line by more than this share begins a new line.
const NEW_LINE: f64 = 0.5;
/// Text that moves back by more than this share begins a new line.
const BACK: f64 = 1.5;

/// What a page says and shows.
pub(super) struct PageText {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
    /// Whether there is something to see.
    pub(super) ink: bool,
}

pub(super) fn read<'a>(
    page: &'a Page<'a>,
    cache: &InterpreterCache<'a>,
    settings: &InterpreterSettings,
) -> PageText {
    let (width, height) = page.render_dimensions();
    let (width, height) = (f64::from(width), f64::from(height));
    let transform = page.initial_transform(true).to_kurbo();
    let bounds = Rect::new(0.0, 0.0, width, height);
    let mut context = Context::new(transform, bounds, cache, page.xref(), settings.clone());
    let mut reader = Reader::default();
    interpret_page(page, &mut context, &mut reader);
    reader.end_line();
    let ink = reader.ink || reader.unknown > 0;
    // Most glyphs have no meaning: the text would be scraps of the page.
    if reader.known < reader.unknown {
        return PageText { text: String::new(), blocks: Vec::new(), ink };
    }
    let blocks: Vec<Block> = reader.lines.into_iter().map(|line| line.block(width, height)).collect();
    let text = blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
    PageText { text, blocks, ink }
}

/// Collects glyphs.
#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    line: Line,
    ink: bool,
    known: usize,
    unknown: usize,
    /// Where the last run began, and its length: filled and stroked text is drawn twice.
    last_run: Option<(Point, usize)>,
}

/// A glyph with its place on the page.
struct Placed {
    start: Point,
    end: Point,
    size: f64,
    bounds: Rect,
}

#[derive(Default)]
struct Line {
    text: String,
    bounds: Option<Rect>,
    end: Point,
    space: bool,
}

impl Line {
    fn block(self, width: f64, height: f64) -> Block {
        let bounds = self.bounds.map(|rect| Bounds {
            left: share(rect.x0, width),
            top: share(rect.y0, height),
            width: share(rect.width(), width),
            height: share(rect.height(), height),
        });
        Block { text: self.text, bounds, confidence: None }
    }

    fn add(&mut self, text: &str, glyph: &Placed) {
        if self.space && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.space = false;
        self.text.push_str(text);
        self.bounds = Some(self.bounds.map_or(glyph.bounds, |bounds| bounds.union(glyph.bounds)));
        self.end = glyph.end;
    }
}

impl Reader {
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.text.is_empty() {
            self.lines.push(line);
        }
    }

    fn glyph(&mut self, text: &str, glyph: &Placed) {
        if text.chars().all(char::is_whitespace) {
            self.line.space = true;
            return;
        }
        if !self.line.text.is_empty() {
            let (along, across) = offset(self.line.end, glyph);
            if across.abs() > NEW_LINE * glyph.size || along < -BACK * glyph.size {
                self.end_line();
            } else if along > SPACE * glyph.size {
                self.line.space = true;
            }
        }
        if self.line.text.is_empty() {
            self.line.space = false;
        }
        self.line.add(text, glyph);
    }
}

/// How far a glyph begins from a point, along its line and across.
fn offset(from: Point, glyph: &Placed) -> (f64, f64) {
    let direction = glyph.end - glyph.start;
    let length = direction.hypot();
    let move_by = glyph.start - from;
    if length < f64::EPSILON {
        return (move_by.x, move_by.y);
    }
    let direction = direction / length;
    (move_by.dot(direction), move_by.cross(direction))
}

/// Where a glyph is on the page. Glyphs are drawn on a square of 1,000 units.
fn place(glyph: &Glyph<'_>, transform: Affine, vertical: bool) -> Placed {
    let advance = match glyph {
        Glyph::Outline(glyph) => glyph.advance_width(),
        Glyph::Type3(glyph) => glyph.advance_width(),
    };
    let advance = f64::from(advance.unwrap_or(500.0));
    let end = if vertical { Point::new(0.0, -1000.0) } else { Point::new(advance, 0.0) };
    let frame =
        if vertical { Rect::new(0.0, -1000.0, 1000.0, 0.0) } else { Rect::new(0.0, -220.0, advance, 880.0) };
    let size = (transform * Point::new(0.0, 1000.0) - transform * Point::ZERO).hypot();
    Placed {
        start: transform * Point::ZERO,
        end: transform * end,
        size,
        bounds: transform.transform_rect_bbox(frame),
    }
}

/// What a glyph says. Places for private use say nothing.
fn meaning(glyph: &Glyph<'_>) -> Option<BfString> {
    let private = |one: char| matches!(one, '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\0'..='\u{8}');
    let meaning = glyph.as_unicode()?;
    let is_known = match &meaning {
        BfString::Char(one) => !private(*one),
        BfString::String(text) => !text.is_empty() && !text.chars().any(private),
    };
    is_known.then_some(meaning)
}

impl<'a> Device<'a> for Reader {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let vertical = run.writing_mode() == WritingMode::Vertical;
        let Some(first) = run.glyphs().first() else { return };
        let at = (props.transform * first.transform() * Point::ZERO, run.glyphs().len());
        if self.last_run.replace(at) == Some(at) {
            return;
        }
        for glyph in run.glyphs() {
            if self.known + self.unknown >= MAX_GLYPHS {
                return;
            }
            let placed = place(glyph, props.transform * glyph.transform(), vertical);
            let Some(meaning) = meaning(glyph) else {
                self.unknown += 1;
                continue;
            };
            self.known += 1;
            match meaning {
                // A ligature is its letters.
                BfString::Char(one @ '\u{fb00}'..='\u{fb06}') => {
                    self.glyph(&one.nfkc().collect::<String>(), &placed);
                }
                BfString::Char(one) => self.glyph(one.encode_utf8(&mut [0; 4]), &placed),
                BfString::String(text) => self.glyph(&text, &placed),
            }
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.ink = true;
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.ink = true;
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_clip_rect(&mut self, _: &Rect) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
