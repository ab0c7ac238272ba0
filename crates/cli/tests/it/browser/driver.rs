//! chromedriver as a process that never outlives the test that started it.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

/// The shell waits for a line that never comes. Its input ends when the test process does, however that
/// ends, and then the whole group goes: Chromium is in it, and would otherwise stay. A chromedriver that is
/// missing or gives up ends the group too, so that nobody waits for its port.
const SCRIPT: &str = "(chromedriver --port=0; kill -9 0) & read never; kill -9 0";

pub(super) struct Driver {
    shell: Child,
    pub(super) address: String,
}

impl Driver {
    /// Starts chromedriver on a port of its choice; what it and Chromium leave lying around is in `home`.
    pub(super) fn start(home: &Path) -> Self {
        let mut shell = Command::new("sh")
            .args(["-c", SCRIPT])
            .env("TMPDIR", home)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Chromium complains there of all that a container has not got.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
        let mut driver = Self { shell, address: String::new() };
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(rest.trim_end_matches('.').to_owned())
        });
        let port = port.expect("chromedriver does not start: run ./test, which installs it");
        driver.address = format!("http://127.0.0.1:{port}");
        // Whoever writes more must not wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        driver
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.shell), Signal::KILL);
        let _ = self.shell.wait();
    }
}
