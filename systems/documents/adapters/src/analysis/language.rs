//! The language of a text.

use whatlang::Lang;

/// The language of a text as a tag such as `ko`; nothing if the text is too short to tell.
#[must_use]
pub fn language(text: &str) -> Option<String> {
    let (mut letters, mut hangul) = (0usize, 0usize);
    for one in text.chars().filter(|one| one.is_alphabetic()) {
        letters += 1;
        hangul += usize::from(('가'..='힣').contains(&one));
    }
    // Korean texts quote a lot of English, and English ones hardly any Korean.
    if hangul > 1 && hangul * 5 >= letters {
        return Some("ko".to_owned());
    }
    if letters < 12 {
        return None;
    }
    let found = whatlang::detect(text).filter(whatlang::Info::is_reliable)?;
    Some(tag(found.lang()).to_owned())
}

/// The tag of two letters, where the language has one.
fn tag(language: Lang) -> &'static str {
    match language {
        Lang::Eng => "en",
        Lang::Kor => "ko",
        Lang::Jpn => "ja",
        Lang::Cmn => "zh",
        Lang::Deu => "de",
        Lang::Fra => "fr",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Ita => "it",
        Lang::Nld => "nl",
        Lang::Rus => "ru",
        Lang::Ukr => "uk",
        Lang::Pol => "pl",
        Lang::Tur => "tr",
        Lang::Vie => "vi",
        Lang::Tha => "th",
        Lang::Ind => "id",
        Lang::Ara => "ar",
        Lang::Hin => "hi",
        other => other.code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_hangul_makes_a_text_korean() {
        assert_eq!(language("API 문서: REST endpoint 목록").as_deref(), Some("ko"));
        assert_eq!(
            language("El perro come la comida en la casa del vecino todos los días").as_deref(),
            Some("es")
        );
        assert_eq!(language("2024-01-01"), None);
        assert_eq!(language(""), None);
    }
}
