//! Search over many segments of one project, in Korean and English.

use std::path::Path;
use std::time::Instant;

use hansang_documents_adapters::{Matching, TextIndex, TextState};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::{failed, timed};

const DOCUMENTS: usize = 100;
const SEGMENTS: usize = 1000;
/// The number of words of a segment.
const WORDS: usize = 120;
/// The number of different words of each language.
const VOCABULARY: usize = 20_000;
const TIMES: usize = 1000;

pub(super) async fn measure(directory: &Path) -> Result<(), String> {
    eprintln!("{} segments to search…", DOCUMENTS * SEGMENTS);
    let index = TextIndex::open(&directory.join("index")).map_err(failed)?;
    let mut random = StdRng::seed_from_u64(7);
    let start = Instant::now();
    for document in 0..DOCUMENTS {
        let state = TextState { workflow_id: format!("w{document}"), revision: 1 };
        let mut adding = index.add_workflow("p", &format!("d{document}"), &state).await;
        for number in 0..SEGMENTS {
            adding.segment(number as i64, &text(&mut random));
        }
        adding.commit().await.map_err(failed)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("| search over {} segments | p50, ms | p99, ms |\n|---|---|---|", DOCUMENTS * SEGMENTS);
    for (name, count) in [("one word", 1), ("two words, both", 2)] {
        let mut found = 0;
        let ask = async |_| {
            let query: Vec<String> = (0..count).map(|_| word(&mut random)).collect();
            let hits = index.search("p", &query.join(" "), Matching::All, (20, 0), 200).map_err(failed)?;
            found += hits.total;
            Ok(())
        };
        let (p50, p99) = timed(TIMES, ask).await?;
        println!("| {name}, {:.0} found on average | {p50:.2} | {p99:.2} |", found as f64 / TIMES as f64);
    }
    println!("\n{} segments were indexed in {seconds:.1} s\n", DOCUMENTS * SEGMENTS);
    Ok(())
}

/// A segment: half of its words are Korean.
fn text(random: &mut StdRng) -> String {
    let words: Vec<String> = (0..WORDS).map(|_| word(random)).collect();
    words.join(" ")
}

/// A word; some are frequent.
fn word(random: &mut StdRng) -> String {
    let share: f64 = random.random();
    let number = (share * share * share * VOCABULARY as f64) as usize;
    if random.random() {
        return format!("word{number}");
    }
    // Syllables of Hangul.
    let syllable = |number: usize| char::from_u32(0xAC00 + (number * 37 % 11_172) as u32).unwrap_or('가');
    [number, number / 7 + 3, number / 3 + 11].map(syllable).iter().collect()
}
