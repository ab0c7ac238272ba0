//! The metrics in the Prometheus text format 0.0.4.

use std::fmt::{Display, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use super::histogram::{Histogram, STEPS};
use super::operation::{OUTCOMES, Operation};
use super::{Figure, FigureKind, Metrics};

const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The output buffer.
struct Text(String);

/// Label names and their values.
type Labels<'l> = [(&'static str, &'l str)];

impl Metrics {
    /// All metrics as text, with those of systems.
    #[must_use]
    pub fn render(&self, figures: &[Figure]) -> String {
        let mut text = Text(String::new());
        self.process(&mut text);
        self.routes(&mut text);
        self.operations(&mut text);
        for Figure { name, kind, help, value } in figures {
            let kind = match kind {
                FigureKind::Counter => "counter",
                FigureKind::Gauge => "gauge",
            };
            text.about(name, kind, help);
            text.line(name, &[], value);
        }
        text.0
    }

    fn process(&self, text: &mut Text) {
        let registry = &*self.0;
        text.about("process_start_time_seconds", "gauge", "When the server started, in Unix time.");
        text.line("process_start_time_seconds", &[], registry.started.as_second());
        text.about("hansang_http_requests_in_flight", "gauge", "Requests that are being answered.");
        let in_flight = registry.in_flight.load(Ordering::Relaxed);
        text.line("hansang_http_requests_in_flight", &[], in_flight);
        text.about("hansang_http_shed_total", "counter", "Requests refused because too many ran at once.");
        text.line("hansang_http_shed_total", &[], read(&registry.shed));
        let limited = "hansang_http_rate_limited_total";
        text.about(limited, "counter", "Requests refused because somebody asks too often.");
        text.line(limited, &[], read(&registry.rate_limited));
    }

    fn routes(&self, text: &mut Text) {
        let routes = self.0.routes.all();
        let requests = "hansang_http_requests_total";
        text.about(requests, "counter", "Requests by route and class of status.");
        for ((method, path), route) in &routes {
            for (class, count) in CLASSES.iter().zip(&route.by_class) {
                let labels = [("method", *method), ("route", path.as_str()), ("class", *class)];
                text.line(requests, &labels, read(count));
            }
        }
        let seconds = "hansang_http_request_seconds";
        text.about(seconds, "histogram", "Time until a request was answered.");
        for ((method, path), route) in &routes {
            text.histogram(seconds, &[("method", method), ("route", path)], &route.latency);
        }
    }

    fn operations(&self, text: &mut Text) {
        let operations = self.0.operations.all();
        let total = "hansang_operations_total";
        text.about(total, "counter", "Operations and access patterns by outcome.");
        for ((system, name), operation) in &operations {
            for (outcome, count) in OUTCOMES.iter().zip(&operation.by_outcome) {
                // Outcomes without a count are left out: most operations have two.
                let count = read(count);
                if count > 0 {
                    let labels = [("system", system.as_str()), ("operation", name), ("outcome", outcome)];
                    text.line(total, &labels, count);
                }
            }
        }
        let seconds = "hansang_operation_seconds";
        text.about(seconds, "histogram", "Time that an operation took.");
        for ((system, name), operation) in &operations {
            text.histogram(seconds, &[("system", system), ("operation", name)], &operation.latency);
        }
        let mut units = |name: &'static str, help: &str, spent: fn(&Operation) -> f64| {
            text.about(name, "counter", help);
            for ((system, operation), numbers) in &operations {
                text.line(name, &[("system", system), ("operation", operation)], spent(numbers));
            }
        };
        units(
            "hansang_operation_read_units_total",
            "Read capacity units as DynamoDB counts them.",
            |spent| read(&spent.half_units_read) as f64 / 2.0,
        );
        units("hansang_operation_write_units_total", "Write capacity units of the table.", |spent| {
            read(&spent.units_written) as f64
        });
        units("hansang_operation_index_write_units_total", "Write capacity units of its indexes.", |spent| {
            read(&spent.index_units_written) as f64
        });
    }
}

fn read(number: &AtomicU64) -> u64 {
    number.load(Ordering::Relaxed)
}

impl Text {
    fn about(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &Labels<'_>, value: impl Display) {
        self.0.push_str(name);
        for (position, (label, text)) in labels.iter().enumerate() {
            self.0.push(if position == 0 { '{' } else { ',' });
            let _ = write!(self.0, "{label}=\"{}\"", escaped(text));
        }
        self.0.push_str(if labels.is_empty() { "" } else { "}" });
        let _ = writeln!(self.0, " {value}");
    }

    fn histogram(&mut self, name: &str, labels: &Labels<'_>, histogram: &Histogram) {
        let counts = histogram.cumulative();
        let bucket = format!("{name}_bucket");
        let ends = STEPS.iter().map(|(_, end)| *end).chain(["+Inf"]);
        for (end, count) in ends.zip(counts) {
            let labels = [labels, &[("le", end)]].concat();
            self.line(&bucket, &labels, count);
        }
        self.line(&format!("{name}_sum"), labels, histogram.seconds());
        self.line(&format!("{name}_count"), labels, counts[STEPS.len()]);
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        let mut text = Text(String::new());
        text.line("x", &[("a", "back\\slash \"quoted\"\nnext"), ("b", "{}")], 1);
        assert_eq!(text.0, "x{a=\"back\\\\slash \\\"quoted\\\"\\nnext\",b=\"{}\"} 1\n");
    }
}
