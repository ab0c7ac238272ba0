//! Data tables: sorted by the server, with chosen columns, selected rows, and cards instead of rows on a phone.

use std::cmp::Ordering;

use askama::Template;

use crate::address;
use crate::frame::{Frame, View};
use crate::html::Html;
use crate::number::grouped;
use crate::page::Pager;
use crate::time::Moment;

/// A table of a page.
#[derive(Default)]
pub struct Table {
    /// The name under which chosen columns are remembered, such as `content/Post`.
    pub name: String,
    /// The label for screen readers.
    pub label: String,
    /// All columns, in their order.
    pub columns: Vec<Column>,
    /// The rows; each has a cell for every column.
    pub rows: Vec<Row>,
    /// The order of the rows.
    pub sort: Option<Sort>,
    /// The order in which the whole list is read, by a column with an index. The address names its direction as `order`.
    pub read: Option<Sort>,
    /// Whether the list has other pages: sorting by another column concerns the rows of this page alone.
    pub partial: bool,
    /// Actions on selected rows.
    pub bulk: Option<Bulk>,
    /// The state without rows.
    pub empty: Empty,
    /// The links to other pages of the list.
    pub pages: Option<Pager>,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name in addresses and cookies.
    pub key: String,
    /// The heading.
    pub label: String,
    /// The kind of its values, which decides on their alignment.
    pub kind: Kind,
    /// Whether rows can be sorted by it.
    pub sortable: bool,
    /// Whether it is shown unless columns were chosen.
    pub usual: bool,
}

/// The kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Numbers, aligned right.
    Number,
    /// Amounts of money, aligned right.
    Money,
    /// Times.
    Time,
    /// Badges.
    Tag,
    /// Code in a monospaced font.
    Code,
    /// Links.
    Link,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The value of its check box.
    pub key: String,
    /// The page of its record.
    pub link: Option<String>,
    /// A cell for every column.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No value.
    None,
    /// Text, shortened to two lines.
    Text(String),
    /// A sentence, in which what stands between backticks is code.
    Prose(String),
    /// A decimal number, shown with separators.
    Number(String),
    /// An amount of money as [`crate::number::won`] writes it, and the amount to sort by.
    Money(String, i64),
    /// A time.
    Time(Moment),
    /// Badges: text and class (`good`, `warn`, `bad`, `info` or empty).
    Tags(Vec<(String, &'static str)>),
    /// Code.
    Code(String),
    /// A link: text and address.
    Link(String, String),
}

/// The order of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The key of the column.
    pub key: String,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// Actions on selected rows. Each check box submits `row` with the key of its row, and the button its value as `do`.
#[derive(Clone, Debug, Default)]
pub struct Bulk {
    /// The address of the form.
    pub address: String,
    /// The buttons: value, label, icon, and whether it is dangerous.
    pub actions: Vec<(&'static str, String, &'static str, bool)>,
    /// An action that needs a choice, such as the folder that rows move to.
    pub choice: Option<BulkChoice>,
}

/// A choice with its button.
#[derive(Clone, Debug, Default)]
pub struct BulkChoice {
    /// The name of the choice in the form.
    pub name: &'static str,
    /// The label.
    pub label: String,
    /// Values and labels.
    pub options: Vec<(String, String)>,
    /// The button: value, label and icon.
    pub action: (&'static str, String, &'static str),
}

/// The state of a list without entries, with the next step.
#[derive(Clone, Debug, Default)]
pub struct Empty {
    /// The icon.
    pub icon: &'static str,
    /// The title.
    pub title: String,
    /// One sentence on what to do.
    pub text: String,
    /// The next step: label and address.
    pub action: Option<(String, String)>,
}

impl Column {
    /// A sortable column that is shown.
    #[must_use]
    pub fn new(key: &str, label: &str, kind: Kind) -> Self {
        Self { key: key.to_owned(), label: label.to_owned(), kind, sortable: false, usual: true }
    }

    /// The same column, sortable.
    #[must_use]
    pub fn sortable(self) -> Self {
        Self { sortable: true, ..self }
    }

    /// The same column, hidden unless it is chosen.
    #[must_use]
    pub fn hidden(self) -> Self {
        Self { usual: false, ..self }
    }

    /// The class of its cells.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self.kind {
            Kind::Number | Kind::Money => "number",
            Kind::Time | Kind::Code => "nowrap",
            Kind::Text | Kind::Tag | Kind::Link => "",
        }
    }
}

impl Cell {
    /// Text, or no value.
    #[must_use]
    pub fn text(text: &str) -> Self {
        if text.is_empty() { Self::None } else { Self::Text(text.to_owned()) }
    }

    /// One badge.
    #[must_use]
    pub fn tag(text: &str, class: &'static str) -> Self {
        Self::Tags(vec![(text.to_owned(), class)])
    }

    /// A number.
    #[must_use]
    pub fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// A time, or no value.
    #[must_use]
    pub fn time(moment: impl Into<Option<Moment>>) -> Self {
        moment.into().map_or(Self::None, Self::Time)
    }

    /// The number with separators.
    fn grouped(number: &str) -> String {
        grouped(number)
    }

    /// Cells without a value come last; numbers compare by value, everything else by its text.
    fn compare(&self, other: &Self) -> Ordering {
        let number = |text: &str| text.parse::<f64>().unwrap_or_default();
        match (self, other) {
            (Self::None, Self::None) => Ordering::Equal,
            (Self::None, _) => Ordering::Greater,
            (_, Self::None) => Ordering::Less,
            (Self::Number(one), Self::Number(two)) => number(one).total_cmp(&number(two)),
            (Self::Money(_, one), Self::Money(_, two)) => one.cmp(two),
            (Self::Time(one), Self::Time(two)) => one.order(two),
            _ => self.sort_text().cmp(&other.sort_text()),
        }
    }

    fn sort_text(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Text(text)
            | Self::Prose(text)
            | Self::Code(text)
            | Self::Number(text)
            | Self::Link(text, _) => text.to_lowercase(),
            Self::Money(_, amount) => amount.to_string(),
            Self::Time(moment) => moment.exact.clone(),
            Self::Tags(tags) => tags.iter().map(|(text, _)| text.to_lowercase()).collect(),
        }
    }
}

impl Row {
    /// The text of the first cell, which names the row; the key if that cell has none.
    fn name(&self) -> &str {
        match self.cells.first() {
            Some(Cell::Text(text) | Cell::Prose(text) | Cell::Code(text) | Cell::Link(text, _)) => text,
            Some(Cell::Time(moment)) => &moment.text,
            Some(Cell::Tags(tags)) => tags.first().map_or(&self.key, |(text, _)| text),
            _ => &self.key,
        }
    }
}

impl Sort {
    /// The order in the address of the page (`?sort=…&dir=…`), if the column exists and is sortable.
    #[must_use]
    pub fn asked(view: &View, columns: &[Column]) -> Option<Self> {
        let asked = view.asked();
        let column = columns.iter().find(|column| column.sortable && column.key == asked.text("sort"))?;
        Some(Self { key: column.key.clone(), descending: asked.text("dir") == "desc" })
    }
}

impl Table {
    /// Sorts the rows of this page by [`Table::sort`].
    pub fn sort_rows(&mut self) {
        let Some(sort) = &self.sort else { return };
        let Some(index) = self.columns.iter().position(|column| column.key == sort.key) else { return };
        let descending = sort.descending;
        self.rows.sort_by(|one, two| match (one.cells.get(index), two.cells.get(index)) {
            (Some(one), Some(two)) => {
                let order = one.compare(two);
                let has_both = *one != Cell::None && *two != Cell::None;
                if descending && has_both { order.reverse() } else { order }
            }
            _ => Ordering::Equal,
        });
    }

    /// The table as HTML.
    #[must_use]
    pub fn html(&self, frame: &Frame) -> Html {
        let columns = self.shown(&frame.view);
        let written = Shown { frame, table: self, columns }.render();
        Html::new(written.unwrap_or_else(|error| {
            tracing::error!(%error, "a table cannot be written");
            String::new()
        }))
    }

    /// The columns that are shown, each with its position: the chosen ones, otherwise the usual ones.
    fn shown(&self, view: &View) -> Vec<(usize, &Column)> {
        let all = || self.columns.iter().enumerate();
        if let Some(chosen) = view.lists.columns(&self.name) {
            let chosen: Vec<_> = all().filter(|(_, column)| chosen.contains(&column.key)).collect();
            // Columns that no longer exist are not a choice.
            if !chosen.is_empty() {
                return chosen;
            }
        }
        all().filter(|(_, column)| column.usual).collect()
    }
}

#[derive(Template)]
#[template(path = "console/table.html")]
struct Shown<'t> {
    frame: &'t Frame,
    table: &'t Table,
    columns: Vec<(usize, &'t Column)>,
}

impl Shown<'_> {
    fn cell<'r>(&self, row: &'r Row, index: &usize) -> &'r Cell {
        row.cells.get(*index).unwrap_or(&Cell::None)
    }

    fn is_shown(&self, column: &Column) -> bool {
        self.columns.iter().any(|(_, shown)| shown.key == column.key)
    }

    /// `ascending` or `descending` for the column that rows are sorted by.
    fn order(&self, column: &Column) -> Option<&'static str> {
        let sort = self.table.sort.as_ref().or(self.table.read.as_ref());
        let sort = sort.filter(|sort| sort.key == column.key)?;
        Some(if sort.descending { "descending" } else { "ascending" })
    }

    fn sort_icon(&self, column: &Column) -> Html {
        crate::icon(match self.order(column) {
            Some("descending") => "sort-down",
            Some(_) => "sort-up",
            None => "sort",
        })
    }

    /// The address of the page sorted by a column, or in reverse if it is already. The whole list starts again; sorting
    /// one of its pages stays on that page.
    fn sorted(&self, column: &Column) -> String {
        let (here, is_up) = (&self.frame.view.here, self.order(column) == Some("ascending"));
        if self.is_read_by(column) {
            let order = if is_up { "descending" } else { "ascending" };
            return address::with(here, &[("sort", ""), ("dir", ""), ("order", order)]);
        }
        let changes = [("sort", &*column.key), ("dir", if is_up { "desc" } else { "asc" })];
        if self.table.partial { address::on_page(here, &changes) } else { address::with(here, &changes) }
    }

    /// Whether the whole list is read in the order of a column.
    fn is_read_by(&self, column: &Column) -> bool {
        self.table.read.as_ref().is_some_and(|read| read.key == column.key)
    }

    /// The column by which the whole list can be sorted, while only the rows of this page are.
    fn whole(&self) -> Option<&Column> {
        self.table.columns.iter().find(|column| self.is_read_by(column))
    }

    fn has_sorting(&self) -> bool {
        self.table.columns.iter().any(|column| self.is_sortable(column))
    }

    fn is_sortable(&self, column: &Column) -> bool {
        column.sortable || self.is_read_by(column)
    }
}

#[cfg(test)]
mod tests;
