//! chromedriver as a process that never outlives the test that started it.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

/// The shell reads its input, which ends with the test process, and then kills the whole process group, including
/// Chromium. A chromedriver that is missing or exits ends the group too, so that the test does not wait for its port.
const SCRIPT: &str = "(chromedriver --port=0; kill -9 0) & read never; kill -9 0";

/// The number of attempts: chromedriver ends if its free port is taken before it listens on both IPv4 and IPv6.
const STARTS: usize = 3;

pub(super) struct Driver {
    shell: Child,
    pub(super) address: String,
}

impl Driver {
    /// Starts chromedriver on a free port, with `home` for its files and those of Chromium.
    pub(super) fn start(home: &Path) -> Self {
        let started = (0..STARTS).find_map(|_| Self::try_start(home));
        started.expect("chromedriver does not start: run ./test, which installs it")
    }

    fn try_start(home: &Path) -> Option<Self> {
        let mut shell = Command::new("sh")
            .args(["-c", SCRIPT])
            .env("TMPDIR", home)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Chromium logs there about everything that a container lacks.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
        let mut driver = Self { shell, address: String::new() };
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(rest.trim_end_matches('.').to_owned())
        });
        driver.address = format!("http://127.0.0.1:{}", port?);
        // Drains the output, so that chromedriver never blocks on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.shell), Signal::KILL);
        let _ = self.shell.wait();
    }
}
