//! Calls of webhooks over HTTP. Addresses inside the network are not called.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hansang_content::{Caller, DELIVERY_HEADER, EVENT_HEADER, HookAnswer, HookCall, SIGNATURE_HEADER};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

/// The time that one call may take.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Calls webhooks. It follows no redirects and uses no proxy, either of which could lead into the network.
#[derive(Clone, Debug)]
pub struct HttpCaller {
    client: Client,
    allow_private: bool,
}

impl HttpCaller {
    /// A caller of public addresses over HTTPS. With `allow_private` also of addresses inside the network, and over HTTP.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(allow_private: bool) -> Result<Self, String> {
        let mut client = Client::builder()
            .timeout(TIMEOUT)
            .redirect(Policy::none())
            .no_proxy()
            .user_agent(concat!("hansang/", env!("CARGO_PKG_VERSION")));
        if !allow_private {
            client = client.https_only(true).dns_resolver(Arc::new(PublicNames));
        }
        let client = client.build().map_err(|error| format!("HTTP cannot be set up: {error}"))?;
        Ok(Self { client, allow_private })
    }

    /// What is wrong with an address, before it is called.
    fn refusal(&self, url: &Url) -> Option<&'static str> {
        if self.allow_private {
            return None;
        }
        if url.scheme() != "https" {
            return Some("only https is called");
        }
        // Names are checked when they are resolved, in the same call that connects.
        let host = url.host_str().unwrap_or_default();
        let literal: Option<IpAddr> = host.trim_start_matches('[').trim_end_matches(']').parse().ok();
        literal.is_some_and(|ip| !is_public(ip)).then_some(PRIVATE)
    }
}

const PRIVATE: &str = "the address is inside the network: allow private addresses in the settings to call it";

#[async_trait]
impl Caller for HttpCaller {
    async fn call(&self, call: &HookCall) -> HookAnswer {
        let refused = |error: &str| HookAnswer { status: None, error: error.to_owned() };
        let Ok(url) = Url::parse(&call.url) else { return refused("the address cannot be read") };
        if let Some(refusal) = self.refusal(&url) {
            return refused(refusal);
        }
        let request = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header(EVENT_HEADER, &call.event)
            .header(DELIVERY_HEADER, &call.id)
            .header(SIGNATURE_HEADER, &call.signature)
            .body(call.body.clone());
        match request.send().await {
            Ok(response) => {
                let status = response.status();
                let answer = HookAnswer { status: Some(status.as_u16()), error: format!("answered {status}") };
                if answer.is_accepted() { HookAnswer { error: String::new(), ..answer } } else { answer }
            }
            Err(error) => refused(&why(&error)),
        }
    }
}

/// Resolves names to public addresses alone.
struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(PRIVATE.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is on the internet, and not that of this machine or of the network it is in.
#[must_use]
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let special = (a == 192 && b == 0 && c == 0) || (a == 198 && (b == 18 || b == 19)) || a == 0 || a >= 240;
    !(ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast()
        || shared
        || special)
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let parts = ip.segments();
    let v4 = |high: u16, low: u16| is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match parts {
        // Addresses with one of version 4 inside: mapped, translated, and 6to4.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        // Tunnels and documentation.
        [0x2001, 0 | 0xdb8, ..] => false,
        // The rest of the internet.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

fn why(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_inside_the_network_are_not_public() {
        let private = [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
            "192.0.0.8", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1",
            "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::10.0.0.1",
            "2002:7f00:1::", "2001:db8::1", "::127.0.0.1", "fec0::1",
        ];
        for ip in private {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:1.1.1.1"] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
    }
}
