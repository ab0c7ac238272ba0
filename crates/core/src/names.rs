//! Enums whose variants are stored as texts.

/// Defines an enum with a text for each variant: `Variant = "TEXT"`. It has `ALL`, `name` and `named`, is shown as its
/// text, and serde reads and writes the text.
#[macro_export]
macro_rules! names {
    (
        $(#[$outer:meta])*
        $vis:vis enum $name:ident {
            $($(#[$inner:meta])* $variant:ident = $text:literal),* $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $($(#[$inner])* $variant,)*
        }

        #[allow(dead_code, unreachable_pub, reason = "an enum may be private and need not use all of this")]
        impl $name {
            /// Every variant, in order.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// The text, as it is stored.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The variant with this text.
            #[must_use]
            pub fn named(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as $crate::serde::Deserialize>::deserialize(deserializer)?;
                Self::named(&text).ok_or_else(|| {
                    <D::Error as $crate::serde::de::Error>::unknown_variant(&text, &[$($text),*])
                })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    names! {
        /// A colour.
        enum Colour {
            /// Red.
            Red = "RED",
            /// Dark blue.
            DarkBlue = "DARK_BLUE",
        }
    }

    #[test]
    fn variants_are_their_texts() {
        assert_eq!(Colour::ALL.map(Colour::name), ["RED", "DARK_BLUE"]);
        assert_eq!((Colour::named("RED"), Colour::named("red")), (Some(Colour::Red), None));
        assert_eq!(format!("{:>10}", Colour::DarkBlue), " DARK_BLUE");
        assert_eq!(serde_json::to_string(&Colour::DarkBlue).unwrap(), "\"DARK_BLUE\"");
        assert_eq!(serde_json::from_str::<Colour>("\"RED\"").unwrap(), Colour::Red);
        let refused = serde_json::from_str::<Colour>("\"blue\"").unwrap_err().to_string();
        assert!(refused.contains("expected `RED` or `DARK_BLUE`"), "{refused}");
    }
}
