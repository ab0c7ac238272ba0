//! A workbook of a whole ledger: lines, entries and months.

use std::collections::BTreeMap;

use hansang_core::message::Language;
use hansang_core::{Error, message};
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use super::Export;
use crate::figures::{Balances, Delta, Totals, add};
use crate::kind::Subject;
use crate::{LedgerCode, Month, messages};

/// The number of rows of a sheet, which Excel limits.
const MAX_ROWS: usize = 1_048_575;

/// The amounts of entries.
type Entries = BTreeMap<(Month, Subject), i64>;
/// The totals and balances of a month.
type MonthFigures = (Month, Totals, Balances);

impl Export {
    /// The ledger as a workbook with three sheets.
    ///
    /// # Errors
    /// More lines than a sheet can have.
    pub fn xlsx(&self, language: Language) -> Result<Vec<u8>, Error> {
        if self.lines.len() > MAX_ROWS {
            let message = message!(messages::SHEET_TOO_LARGE, MAX_ROWS);
            return Err(Error::invalid(LedgerCode::FileTooLarge, message));
        }
        let (entries, months) = self.sums()?;
        let failed =
            |_: XlsxError| Error::internal(LedgerCode::FileInvalid, message!(messages::FILE_DAMAGED));
        let mut book = Workbook::new();
        self.write_lines(&mut book, language).map_err(failed)?;
        write_entries(&mut book, language, &entries).map_err(failed)?;
        write_months(&mut book, language, &months).map_err(failed)?;
        book.save_to_buffer().map_err(failed)
    }

    /// The amounts of entries, and the totals and balances of months.
    fn sums(&self) -> Result<(Entries, Vec<MonthFigures>), Error> {
        let mut entries = Entries::new();
        let mut deltas: BTreeMap<Month, Delta> = BTreeMap::new();
        for line in &self.lines {
            let amount = entries.entry((line.month, line.subject.clone())).or_default();
            *amount = add(*amount, line.amount)?;
            deltas.entry(line.month).or_default().add(&line.subject, line.amount)?;
        }
        let mut balances = self.opening.clone();
        let mut months = Vec::new();
        for (month, delta) in deltas {
            balances = balances.plus(&delta.balances)?;
            months.push((month, delta.totals, balances.clone()));
        }
        Ok((entries, months))
    }

    fn write_lines(&self, book: &mut Workbook, language: Language) -> Result<(), XlsxError> {
        let titles = [
            ("Date", "날짜"),
            ("Kind", "구분"),
            ("Category", "항목"),
            ("Detail", "세부"),
            ("Note", "내용"),
            ("Amount", "금액"),
            ("Entered by", "입력한 사람"),
        ];
        let sheet = sheet(book, language, ("Transactions", "내역"), &titles)?;
        let won = Format::new().set_num_format("#,##0");
        for (row, line) in (1..).zip(&self.lines) {
            sheet.write_string(row, 0, &line.date)?;
            sheet.write_string(row, 1, kind_name(&line.subject, language))?;
            sheet.write_string(row, 2, &line.subject.name)?;
            sheet.write_string(row, 3, line.subject.detail().unwrap_or_default())?;
            sheet.write_string(row, 4, &line.text)?;
            sheet.write_number_with_format(row, 5, line.amount as f64, &won)?;
            sheet.write_string(row, 6, &line.by)?;
        }
        Ok(())
    }
}

fn write_entries(book: &mut Workbook, language: Language, entries: &Entries) -> Result<(), XlsxError> {
    let titles =
        [("Month", "월"), ("Kind", "구분"), ("Category", "항목"), ("Detail", "세부"), ("Amount", "금액")];
    let sheet = sheet(book, language, ("Entries", "월별 항목"), &titles)?;
    let won = Format::new().set_num_format("#,##0");
    for (row, ((month, subject), amount)) in (1..).zip(entries) {
        sheet.write_string(row, 0, month.to_string())?;
        sheet.write_string(row, 1, kind_name(subject, language))?;
        sheet.write_string(row, 2, &subject.name)?;
        sheet.write_string(row, 3, subject.detail().unwrap_or_default())?;
        sheet.write_number_with_format(row, 4, *amount as f64, &won)?;
    }
    Ok(())
}

fn write_months(book: &mut Workbook, language: Language, months: &[MonthFigures]) -> Result<(), XlsxError> {
    let titles = [
        ("Month", "월"),
        ("Income", "수입"),
        ("Spending", "지출"),
        ("Savings", "저축"),
        ("Investments", "투자"),
        ("Short-term savings", "단기저축"),
        ("Left over", "남은 돈"),
        ("Savings in total", "저축 누적"),
        ("Investments in total", "투자 누적"),
        ("Short-term savings in total", "단기저축 누적"),
    ];
    let sheet = sheet(book, language, ("Months", "월별 합계"), &titles)?;
    let won = Format::new().set_num_format("#,##0");
    for (row, (month, totals, balances)) in (1..).zip(months) {
        sheet.write_string(row, 0, month.to_string())?;
        let figures = [
            totals.total_income,
            totals.total_expense,
            totals.total_savings,
            totals.total_investment,
            totals.total_short_savings,
            totals.net_asset(),
            balances.cash_accumulated,
            balances.investment_accumulated,
            balances.short_savings(),
        ];
        for (column, figure) in (1..).zip(figures) {
            sheet.write_number_with_format(row, column, figure as f64, &won)?;
        }
    }
    Ok(())
}

/// A sheet with titles that stay visible.
fn sheet<'b>(
    book: &'b mut Workbook,
    language: Language,
    name: (&str, &str),
    titles: &[(&str, &str)],
) -> Result<&'b mut Worksheet, XlsxError> {
    let bold = Format::new().set_bold();
    let sheet = book.add_worksheet().set_name(say(language, name))?;
    for (column, title) in (0..).zip(titles) {
        sheet.write_string_with_format(0, column, say(language, *title), &bold)?;
        sheet.set_column_width(column, 16)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    Ok(sheet)
}

fn say<'t>(language: Language, (english, korean): (&'t str, &'t str)) -> &'t str {
    language.say(english, korean)
}

fn kind_name(subject: &Subject, language: Language) -> &'static str {
    let name = match subject.kind {
        crate::Kind::Income => ("Income", "수입"),
        crate::Kind::FixedExpense => ("Fixed expenses", "고정지출"),
        crate::Kind::LivingExpense => ("Living expenses", "생활비"),
        crate::Kind::Savings => ("Savings", "저축"),
        crate::Kind::Investment => ("Investments", "투자"),
        crate::Kind::ShortSavings => ("Short-term savings", "단기저축"),
    };
    say(language, name)
}
