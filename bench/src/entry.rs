//! A burst of 100,000 users for 10,000 seats, from submit to decision, compared with Redis and with a typical stack on
//! DynamoDB. And the rate of decisions alone.

use std::path::Path;
use std::time::Duration;

mod burst;
mod decisions;
mod fastapi;
mod hansang;
pub(crate) mod peer;
mod people;
mod redis;

use burst::{Burst, CONNECTIONS};
use people::People;

use crate::goal;

/// The default number of users.
const USERS: usize = 100_000;
/// The number of users per seat.
const RUSH: usize = 10;
/// The rounds of decisions alone; the median counts, because a round depends on the compactions that run during it.
const ROUNDS: usize = 5;
/// The id of the event.
const EVENT: &str = "rush";
/// The settle window. Zero is the minimum of the API: the peers do not wait either, and waiting takes no work.
const SETTLE: Duration = Duration::ZERO;
/// The timeout of the benchmark.
const TOO_LONG: Duration = Duration::from_secs(300);

/// The figures of one server.
struct Figures {
    burst: Burst,
    /// From the first entry sent to the last decision.
    deciding: Duration,
}

/// The number of requests by result.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    winners: u64,
    rejected: u64,
    /// Failed or undecided requests.
    others: u64,
}

/// Measures with this number of users; with `alone`, only the decisions.
pub(crate) fn run(users: Option<&str>, alone: bool) -> Result<(), String> {
    let users = users.map_or(Ok(USERS), |text| {
        let number = text.parse().ok().filter(|number| *number >= RUSH);
        number.ok_or_else(|| format!("bench/run entry [how many users, at least {RUSH}], not `{text}`"))
    })?;
    let seats = users / RUSH;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    if !alone {
        beside_peers(users, seats, directory.path())?;
    }
    let mut rates = Vec::with_capacity(ROUNDS);
    for round in 0..ROUNDS {
        let took = decisions::measure(users, seats, &directory.path().join(format!("decisions-{round}")))?;
        rates.push(users as f64 / took.as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    println!("\n| decisions alone, {users} requests queued before | a second |\n|---|---|");
    let shown: Vec<String> = rates.iter().map(|rate| format!("{rate:.0}")).collect();
    println!(
        "| {ROUNDS} rounds | {} |\n| the one in the middle | {} |\n",
        shown.join(", "),
        shown[ROUNDS / 2]
    );
    goal("decisions alone: at least 20,000 a second", rates[ROUNDS / 2] >= 20_000.0);
    Ok(())
}

/// Measures the servers one after the other, so that each has the machine for itself.
fn beside_peers(users: usize, seats: usize, directory: &Path) -> Result<(), String> {
    // One thread sends everything, which leaves more of the cores to the server.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    eprintln!("{users} tokens are signed…");
    let people = People::new(users)?;
    eprintln!("Hansang…");
    let ours = hansang::measure(&runtime, &people, seats, directory)?;
    eprintln!("Redis…");
    let redis = redis::measure(&runtime, &people, seats, directory)?;
    for figures in [&ours, &redis] {
        if figures.burst.accepted != users {
            return Err(format!("only {} of {users} entered in {TOO_LONG:?}", figures.burst.accepted));
        }
    }
    eprintln!("FastAPI…");
    let fastapi = fastapi::measure(&runtime, &people, directory)?;
    show(users, seats, [&ours, &redis, &fastapi]);
    let ratio = |peer: &Figures| ours.decided_a_second() / peer.decided_a_second();
    goal("from submit to decided: at least 0.7 times Redis", ratio(&redis) >= 0.7);
    goal("from submit to decided: at least 50 times FastAPI", ratio(&fastapi) >= 50.0);
    Ok(())
}

fn show(users: usize, seats: usize, all: [&Figures; 3]) {
    println!(
        "| {users} users, {seats} seats, {CONNECTIONS} connections, settle window {} s | Hansang \
         | axum, a script in Redis | FastAPI, boto3, DynamoDB Local, {} s | × Redis | × FastAPI |",
        SETTLE.as_secs(),
        fastapi::MEASURED.as_secs(),
    );
    println!("|---|---|---|---|---|---|");
    let rates = |name: &str, of: &dyn Fn(&Figures) -> f64| {
        let [ours, redis, fastapi] = all.map(of);
        let (first, second) = (ours / redis, ours / fastapi);
        println!("| {name} | {ours:.0} | {redis:.0} | {fastapi:.0} | {first:.2} | {second:.1} |");
    };
    rates("accepted a second", &Figures::accepted_a_second);
    rates("decided a second, from the first submit to the last decision", &Figures::decided_a_second);
    let times = |name: &str, of: &dyn Fn(&Figures) -> Duration, scale: f64| {
        let [ours, redis, fastapi] = all.map(|figures| of(figures).as_secs_f64() * scale);
        println!(
            "| {name} | {ours:.1} | {redis:.1} | {fastapi:.1} | {:.2} | {:.1} |",
            redis / ours,
            fastapi / ours
        );
    };
    times("p50 of the 202, ms", &|figures| figures.burst.p50, 1e3);
    times("p99 of the 202, ms", &|figures| figures.burst.p99, 1e3);
    // No ratio: FastAPI has another number of users.
    let plain = |name: &str, of: &dyn Fn(&Figures) -> String| {
        let [ours, redis, fastapi] = all.map(of);
        println!("| {name} | {ours} | {redis} | {fastapi} | | |");
    };
    plain("users", &|figures| figures.burst.accepted.to_string());
    plain("the last 202 after, s", &|figures| format!("{:.2}", figures.burst.accepting.as_secs_f64()));
    plain("the last decision after, s", &|figures| format!("{:.2}", figures.deciding.as_secs_f64()));
    println!();
}

impl Figures {
    fn accepted_a_second(&self) -> f64 {
        self.burst.accepted as f64 / self.burst.accepting.as_secs_f64()
    }

    fn decided_a_second(&self) -> f64 {
        self.burst.accepted as f64 / self.deciding.as_secs_f64()
    }
}

impl Results {
    /// Counts a request by its status.
    fn add(&mut self, status: &str) {
        match status {
            "SUCCEEDED" => self.winners += 1,
            "REJECTED" => self.rejected += 1,
            _ => self.others += 1,
        }
    }

    /// Checks that the number of winners is exactly the capacity and that all other requests were rejected.
    fn check(&self, users: usize, seats: usize) -> Result<(), String> {
        let winners = users.min(seats) as u64;
        let right = Self { winners, rejected: users as u64 - winners, others: 0 };
        if *self == right { Ok(()) } else { Err(format!("{self:?} instead of {right:?}")) }
    }
}
