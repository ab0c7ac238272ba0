//! The model as files for other tools, by the same functions as `hansang model export`.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::export::{Format, export};
use hansang_core::{Model, docs};

use super::Design;
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::View;

/// A file that can be downloaded.
pub(super) struct Download {
    pub(super) address: String,
    pub(super) name: &'static str,
    pub(super) about: &'static str,
}

/// The format of a file.
#[derive(Clone, Copy)]
enum File {
    Export(Format),
    /// The output of `hansang model docs`.
    Documentation,
}

fn files() -> impl Iterator<Item = File> {
    Format::ALL.into_iter().map(File::Export).chain([File::Documentation])
}

/// The files of a model.
pub(super) fn downloads(design: &Design, view: &View) -> Vec<Download> {
    let download = |file: File| {
        let (name, english, korean) = file.told();
        let address = design.at(&file.path());
        Download { address, name: view.say(name.0, name.1), about: view.say(english, korean) }
    };
    files().map(download).collect()
}

/// A route for each file.
pub(super) fn routes(design: &Design) -> Vec<Route> {
    let route = |file: File| {
        let copy = design.clone();
        let handler = on(MethodFilter::GET, async move |asked: Parameters| send(copy.model(), file, asked));
        Route::page(&design.at(&file.path()), design.needs(), handler)
    };
    files().map(route).collect()
}

fn send(model: &Model, file: File, mut asked: Parameters) -> Result<Response, Problem> {
    let env = asked.take("env");
    asked.finish()?;
    let text = match file {
        File::Export(format) => export(model, format, env.as_deref()),
        File::Documentation => docs::markdown(model),
    };
    let disposition = format!("attachment; filename=\"{}\"", file.name(model));
    let headers =
        [(header::CONTENT_TYPE, file.media().to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, text).into_response())
}

impl File {
    fn path(self) -> String {
        match self {
            Self::Export(format) => format!("/exports/{format}"),
            Self::Documentation => "/exports/markdown".to_owned(),
        }
    }

    /// The name of a model has only letters, digits and hyphens.
    fn name(self, model: &Model) -> String {
        match self {
            Self::Export(format) => format!("{}-{format}.{}", model.name, format.extension()),
            Self::Documentation => format!("{}.md", model.name),
        }
    }

    fn media(self) -> &'static str {
        match self {
            Self::Export(Format::CloudFormation | Format::Sam) => "application/yaml",
            Self::Export(Format::Terraform) => "text/plain; charset=utf-8",
            Self::Export(Format::NosqlWorkbench) => "application/json",
            Self::Export(Format::JsonSchema) => "application/schema+json",
            Self::Documentation => "text/markdown; charset=utf-8",
        }
    }

    /// The label and the purpose.
    fn told(self) -> ((&'static str, &'static str), &'static str, &'static str) {
        match self {
            Self::Export(Format::CloudFormation) => (
                ("CloudFormation", "CloudFormation"),
                "The table, its indexes and the policies, as a template.",
                "테이블, 인덱스, 권한 정책을 담은 템플릿입니다.",
            ),
            Self::Export(Format::Sam) => (
                ("SAM", "SAM"),
                "The same for the AWS SAM command line.",
                "AWS SAM CLI에서 쓰는 템플릿입니다.",
            ),
            Self::Export(Format::Terraform) => (
                ("Terraform", "Terraform"),
                "The same as Terraform configuration.",
                "같은 내용의 Terraform 구성입니다.",
            ),
            Self::Export(Format::NosqlWorkbench) => (
                ("NoSQL Workbench", "NoSQL Workbench"),
                "A data model with a sample item of each entity, to import.",
                "엔티티마다 예시 항목이 든 데이터 모델입니다.",
            ),
            Self::Export(Format::JsonSchema) => (
                ("JSON Schema", "JSON Schema"),
                "What a stored item looks like, for validators.",
                "저장된 항목의 형식을 검증할 때 씁니다.",
            ),
            Self::Documentation => (
                ("Documentation", "문서"),
                "This design as Markdown with diagrams, for a wiki.",
                "이 설계를 다이어그램과 함께 정리한 마크다운 문서입니다.",
            ),
        }
    }
}
