//! The background work of a site: sending what waits, and deleting what is too old.

use std::time::Duration;

use hansang_core::Error;

use crate::{Content, Ports, deliver, next_due, purge, purge_media};

/// The maximum pause between two looks at the outbox: the delay of what another process has written.
const LOOK: Duration = Duration::from_secs(15);
/// The minimum pause, for items whose time has come but that another worker has.
const PAUSE: Duration = Duration::from_secs(1);
/// The number of looks between two purges: about an hour.
const LOOKS_OF_PURGE: u32 = 240;

/// Sends what is due and deletes what is too old, until `stop`. Any number of processes may do it. It begins at once with what
/// this process writes, and in at most 15 seconds with what others have written.
pub async fn work(content: &Content, ports: Ports<'_>, stop: impl Future<Output = ()>) {
    let work = async {
        let mut looks = 0_u32;
        loop {
            report(deliver(content, ports).await.map(drop));
            if looks.is_multiple_of(LOOKS_OF_PURGE) {
                report(purge(content, ports.mailer).await.map(drop));
                report(purge_media(content, ports.files).await.map(drop));
            }
            looks = looks.wrapping_add(1);
            let pause = pause(content).await;
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = content.staged.notified() => {}
            }
        }
    };
    tokio::select! {
        biased;
        () = stop => {}
        () = work => {}
    }
}

/// The time until something is due.
async fn pause(content: &Content) -> Duration {
    let due = match next_due(content).await {
        Ok(Some(due)) => due,
        Ok(None) => return LOOK,
        Err(error) => {
            report(Err(error));
            return LOOK;
        }
    };
    let left = due.duration_since(content.now());
    Duration::try_from(left).unwrap_or_default().clamp(PAUSE, LOOK)
}

fn report(result: Result<(), Error>) {
    if let Err(error) = result {
        tracing::warn!(%error, "background work of the site failed: the next run tries again");
    }
}
