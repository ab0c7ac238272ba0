//! The limit: in-memory maps and a write-ahead log, nothing else. It does the minimum of any durable store for the same
//! work: evaluate, encode, append, sync once per group, reply; look up, decode.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use hansang_core::evaluate::holds;
use hansang_core::plan::{Action, Write};
use hansang_core::{Item, Value, apply};
use hansang_embedded::codec;
use tokio::sync::{mpsc, oneshot};

use super::peers::{Peer, done};
use super::work;

type Map = BTreeMap<Vec<u8>, Vec<u8>>;
type Request = (Vec<Write>, oneshot::Sender<()>);

pub(crate) struct Limit {
    map: Arc<RwLock<Map>>,
    requests: mpsc::Sender<Request>,
}

impl Limit {
    pub(crate) fn open(directory: &Path) -> Self {
        let mut log = done(File::create(directory.join("log")));
        let map = Arc::new(RwLock::new(Map::new()));
        let shared = map.clone();
        let (requests, mut queue) = mpsc::channel::<Request>(1024);
        std::thread::spawn(move || {
            let mut waiting = Vec::new();
            while queue.blocking_recv_many(&mut waiting, 1024) > 0 {
                let mut bytes = Vec::new();
                let mut replies = Vec::new();
                let mut map = shared.write().unwrap_or_else(PoisonError::into_inner);
                for (writes, reply) in waiting.drain(..) {
                    writes.into_iter().for_each(|write| write_one(&mut map, write, &mut bytes));
                    replies.push(reply);
                }
                drop(map);
                done(log.write_all(&bytes));
                done(log.sync_data());
                for reply in replies {
                    let _ = reply.send(());
                }
            }
        });
        let stock = codec::encode(&work::stock_item());
        map.write().unwrap_or_else(PoisonError::into_inner).insert(key_bytes("STOCK", "META"), stock);
        Self { map, requests }
    }

    async fn submit(&self, writes: Vec<Write>) {
        let (reply, answer) = oneshot::channel();
        done(self.requests.send((writes, reply)).await.map_err(|_| "the writer is gone"));
        done(answer.await);
    }
}

fn key_bytes(pk: &str, sk: &str) -> Vec<u8> {
    [b"\x00", pk.as_bytes(), b"\0\0", sk.as_bytes()].concat()
}

fn entry(slot: u8, pk: &str, sk: &str, item: &Item, key: &[u8]) -> Option<Vec<u8>> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Some([&[slot], text(pk)?.as_bytes(), b"\0\0", text(sk)?.as_bytes(), b"\0\0", key].concat())
}

fn write_one(map: &mut Map, write: Write, log: &mut Vec<u8>) {
    let key = key_bytes(&write.key.pk, &write.key.sk);
    let before = map.get(&key).map(|bytes| done(codec::decode_whole(bytes)));
    assert!(write.guards.iter().all(|guard| holds(&guard.condition, before.as_ref())), "a guard failed");
    let after = match write.action {
        Action::Put(item) => item,
        Action::Update(changes) => {
            let part = |name: &str, text: &str| (name.into(), Value::from(text));
            let fresh = || Item::from([part("PK", &write.key.pk), part("SK", &write.key.sk)]);
            done(apply(&before.clone().unwrap_or_else(fresh), &changes))
        }
        Action::Delete | Action::Check => return,
    };
    for (slot, pk, sk) in [(1, "GSI1PK", "GSI1SK"), (2, "GSI2PK", "GSI2SK")] {
        let old = before.as_ref().and_then(|item| entry(slot, pk, sk, item, &key));
        let new = entry(slot, pk, sk, &after, &key);
        if old != new {
            old.into_iter().for_each(|old| drop(map.remove(&old)));
            if let Some(new) = new {
                log.extend_from_slice(&new);
                map.insert(new, Vec::new());
            }
        }
    }
    let bytes = codec::encode(&after);
    log.extend_from_slice(&key);
    log.extend_from_slice(&bytes);
    map.insert(key, bytes);
}

#[async_trait]
impl Peer for Limit {
    async fn put(&self, number: u64) {
        self.submit(vec![work::put(number)]).await;
    }

    async fn decrement(&self) {
        self.submit(vec![work::decrement()]).await;
    }

    async fn transact(&self, number: u64) {
        self.submit(work::transaction(number)).await;
    }

    async fn get(&self, number: u64) {
        let get = work::get(number);
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let item =
            map.get(&key_bytes(&get.key.pk, &get.key.sk)).map(|bytes| done(codec::decode_whole(bytes)));
        assert_eq!(item.map(|item| item.len()), Some(12));
    }

    async fn query(&self, partition: u64) -> usize {
        let from = key_bytes(&work::partition(partition), "ORDER#");
        let to = key_bytes(&work::partition(partition), "ORDER$");
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let range = map.range::<[u8], _>((Bound::Included(&from[..]), Bound::Excluded(&to[..])));
        let items: Vec<Item> = range.map(|(_, bytes)| done(codec::decode_whole(bytes))).collect();
        items.len()
    }

    async fn fill(&self, from: u64, to: u64) {
        self.submit((from..to).map(work::put).collect()).await;
    }
}
