//! Several workers, and which of them has which traces.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::join_all;
use ringtrace_events::nearest::nearest;

use super::client::{Client, WorkerError};
use super::message::{Body, Found, Inventory, ReadOptions, Unit, UnitColumns, UnitFindings};
use super::remote::FleetTable;
use super::schema::{self, Combined};
use crate::error::{Error, ErrorKind};
use crate::report::Findings;
use crate::source::quoted;

/// The largest number of traces that a message names.
const MAX_NAMED: usize = 3;

/// Workers that run parts of queries.
#[derive(Debug)]
pub struct Fleet {
    client: Client,
    options: ReadOptions,
    addresses: Vec<String>,
    is_dataset: bool,
    items: Vec<Item>,
    tables: Vec<String>,
    state: Mutex<State>,
}

/// A trace, or traces that are opened together.
#[derive(Debug)]
struct Item {
    /// The id of each trace, and a text that is equal for copies of the same trace.
    traces: Vec<(String, String)>,
    /// The workers that can read it, and its path there.
    holders: Vec<(usize, String)>,
}

#[derive(Debug, Default)]
struct State {
    lost: BTreeMap<usize, Error>,
    columns: HashMap<String, Option<Arc<Combined>>>,
    /// By the keys of units.
    findings: BTreeMap<String, Findings>,
    warnings: Vec<(String, Option<String>)>,
}

/// The part of a table that a worker reads.
#[derive(Debug, Clone)]
pub(super) struct Share {
    pub(super) worker: usize,
    pub(super) units: Vec<Unit>,
    pub(super) traces: usize,
}

impl Fleet {
    /// Connects to the workers at `addresses` (`HOST:PORT`), and finds the traces at `paths`. Copies
    /// of the same trace are read once. If `is_shared`, all workers have the same files, so those
    /// that cannot be reached are not needed.
    ///
    /// # Errors
    /// A worker cannot be reached or refuses a path, no worker has a path, or copies of a trace
    /// differ.
    pub async fn open(
        client: Client,
        addresses: Vec<String>,
        paths: &[String],
        options: ReadOptions,
        is_shared: bool,
    ) -> Result<Fleet, Error> {
        let is_address = |address: &str| {
            address
                .rsplit_once(':')
                .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
        };
        if let Some(address) = addresses.iter().find(|address| !is_address(address)) {
            return Err(Error::usage(format!("--workers: expected HOST:PORT, found `{address}`")));
        }
        let mut fleet = Fleet {
            client,
            options,
            addresses,
            is_dataset: false,
            items: Vec::new(),
            tables: Vec::new(),
            state: Mutex::default(),
        };
        let ask = |address| {
            let body = Body::Open { paths: paths.to_vec() };
            fleet.client.ask::<Inventory>(address, &fleet.options, body)
        };
        let answers = join_all(fleet.addresses.iter().map(|address| ask(address))).await;
        let mut inventories = Vec::new();
        for (worker, answer) in answers.into_iter().enumerate() {
            match answer {
                Ok(inventory) => inventories.push((worker, inventory)),
                Err(WorkerError::Lost(error)) if is_shared && !fleet.is_last(worker) => {
                    fleet.lose(worker, error);
                }
                Err(WorkerError::Lost(error)) if error.help.is_none() && !is_shared => {
                    return Err(error.help(
                        "its traces are unknown, so there is no result without it; if all workers \
                         have the same files, use --shared",
                    ));
                }
                Err(error) => return Err(error.into_error()),
            }
        }
        for (index, path) in paths.iter().enumerate() {
            fleet.add(path, index, &inventories)?;
        }
        for (_, inventory) in inventories {
            for name in inventory.tables {
                if !fleet.tables.contains(&name) {
                    fleet.tables.push(name);
                }
            }
        }
        Ok(fleet)
    }

    /// Returns whether only this worker is left.
    fn is_last(&self, worker: usize) -> bool {
        let state = self.lock();
        (0..self.addresses.len()).all(|other| other == worker || state.lost.contains_key(&other))
    }

    /// Adds the traces at the path with number `index`.
    fn add(&mut self, path: &str, index: usize, inventories: &[(usize, Inventory)]) -> Result<(), Error> {
        let mut kinds = Vec::new();
        for (worker, inventory) in inventories {
            let Some(Some(Found { is_dataset, traces })) = inventory.found.get(index) else { continue };
            kinds.push(*is_dataset);
            match is_dataset {
                true => {
                    for trace in traces {
                        self.add_item(path, *worker, std::slice::from_ref(trace))?;
                    }
                }
                false => self.add_item(path, *worker, traces)?,
            }
        }
        let Some(&is_dataset) = kinds.first() else {
            return Err(Error::new(ErrorKind::System, format!("{path}: no worker has this file or folder"))
                .help("paths are those on the workers, in the folders that they serve"));
        };
        let is_first = index == 0;
        if kinds.iter().any(|kind| *kind != is_dataset) || (!is_first && self.is_dataset != is_dataset) {
            return Err(Error::usage(format!("{path}: traces and datasets cannot be queried together")));
        }
        self.is_dataset = is_dataset;
        Ok(())
    }

    fn add_item(&mut self, path: &str, worker: usize, traces: &[(String, String)]) -> Result<(), Error> {
        let has_any =
            |item: &&mut Item| item.traces.iter().any(|(known, _)| traces.iter().any(|(id, _)| id == known));
        let Some(item) = self.items.iter_mut().find(has_any) else {
            let holders = vec![(worker, path.to_owned())];
            self.items.push(Item { traces: traces.to_vec(), holders });
            return Ok(());
        };
        let (other, known) = item.holders.first().cloned().unwrap_or_default();
        if item.traces != traces {
            let same = item.traces.iter().find(|(id, _)| traces.iter().any(|(new, _)| new == id));
            let id = same.map_or("", |(id, _)| id);
            let (one, other) = (&self.addresses[other], &self.addresses[worker]);
            let message =
                format!("trace {id} is in {known} on {one} and in {path} on {other}, and they differ");
            return Err(Error::new(ErrorKind::Input, message)
                .help("remove the incomplete copy; if the program is still running, try again"));
        }
        if item.holders.iter().all(|(known, _)| *known != worker) {
            item.holders.push((worker, path.to_owned()));
        }
        Ok(())
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn options(&self) -> &ReadOptions {
        &self.options
    }

    pub(super) fn address(&self, worker: usize) -> &str {
        &self.addresses[worker]
    }

    /// Returns the names of all tables.
    pub fn table_names(&self) -> &[String] {
        &self.tables
    }

    /// Returns whether the workers read datasets.
    pub fn has_datasets(&self) -> bool {
        self.is_dataset
    }

    pub(crate) fn advice(&self, name: &str) -> String {
        match nearest(name, self.tables.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{}`?", quoted(near)),
            None => "`show tables` lists the tables".to_owned(),
        }
    }

    /// Returns the number of workers that were lost.
    pub fn losses(&self) -> usize {
        self.lock().lost.len()
    }

    /// Returns the messages about workers that were lost since the last call.
    pub fn losses_since(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().warnings).into_iter().map(|(message, _)| message).collect()
    }

    /// Marks a worker as lost. It is not used again.
    pub(super) fn lose(&self, worker: usize, error: Error) {
        let mut state = self.lock();
        if state.lost.contains_key(&worker) {
            return;
        }
        state.warnings.push((format!("lost {}; queries run without it", error.message), None));
        state.lost.insert(worker, error);
    }

    /// Divides the traces among the workers that are left.
    ///
    /// # Errors
    /// Only lost workers have a trace.
    pub(super) fn shares(&self) -> Result<Vec<Share>, Error> {
        let state = self.lock();
        let mut shares: Vec<Share> = Vec::new();
        let mut gone = Vec::new();
        let mut loads = vec![0; self.addresses.len()];
        for item in &self.items {
            let left = item.holders.iter().filter(|(worker, _)| !state.lost.contains_key(worker));
            let Some((worker, path)) = left.min_by_key(|(worker, _)| loads[*worker]) else {
                gone.push(item);
                continue;
            };
            loads[*worker] += item.traces.len();
            let index = shares.iter().position(|share| share.worker == *worker).unwrap_or_else(|| {
                shares.push(Share { worker: *worker, units: Vec::new(), traces: 0 });
                shares.len() - 1
            });
            let share = &mut shares[index];
            share.traces += item.traces.len();
            let ids = item.traces.iter().map(|(id, _)| id.clone());
            match share.units.iter_mut().find(|unit| self.is_dataset && unit.path == *path) {
                Some(Unit { traces: Some(traces), .. }) => traces.extend(ids),
                _ => {
                    // Another worker can have another dataset at the same path.
                    let key = match item.traces.first() {
                        Some((id, _)) if !self.is_dataset => id.clone(),
                        _ => format!("{path} {worker}"),
                    };
                    let traces = self.is_dataset.then(|| ids.collect());
                    share.units.push(Unit { key, path: path.clone(), traces });
                }
            }
        }
        let Some(first) = gone.first() else { return Ok(shares) };
        let holders = first.holders.iter().filter_map(|(worker, _)| state.lost.get(worker));
        let reasons: Vec<String> = holders.map(|error| error.message.clone()).collect();
        let mut names: Vec<String> = gone
            .iter()
            .flat_map(|item| item.traces.iter().map(|(id, _)| id.clone()))
            .take(MAX_NAMED)
            .collect();
        if gone.len() > names.len() {
            names.push(format!("{} more", gone.len() - names.len()));
        }
        let message = format!("lost {}; no other worker has trace {}", reasons.join(", "), names.join(", "));
        Err(Error::new(ErrorKind::System, message).help("there is no result without these traces"))
    }

    /// Returns the table `name`, or `None` if no trace has it.
    pub(crate) async fn table(self: &Arc<Self>, name: &str) -> Result<Option<FleetTable>, Error> {
        let known = self.lock().columns.get(name).cloned();
        let columns = match known {
            Some(columns) => columns,
            None => {
                let columns = self.columns(name).await?.map(Arc::new);
                self.lock().columns.insert(name.to_owned(), columns.clone());
                columns
            }
        };
        Ok(columns.map(|columns| FleetTable::new(Arc::clone(self), name, columns)))
    }

    async fn columns(&self, name: &str) -> Result<Option<Combined>, Error> {
        let shares = self.shares()?;
        let ask = |share: &Share| {
            let body = Body::Columns { units: share.units.clone(), table: name.to_owned() };
            let (address, worker) = (self.address(share.worker), share.worker);
            async move {
                let answer = self.client.ask::<Vec<UnitColumns>>(address, &self.options, body).await;
                answer.map_err(|error| {
                    if let WorkerError::Lost(error) = &error {
                        self.lose(worker, error.clone());
                    }
                    error.into_error()
                })
            }
        };
        let answers = join_all(shares.iter().map(ask)).await;
        let mut units: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for (share, answer) in shares.iter().zip(answers) {
            let found = share.units.iter().zip(answer?);
            units.extend(found.filter_map(|(unit, columns)| Some((unit.key.as_str(), columns?))));
        }
        if units.is_empty() {
            return Ok(None);
        }
        // The order does not depend on the workers, because the first type keeps the name.
        let mut combined = Combined::default();
        for columns in units.into_values() {
            let schema = schema::decode(&columns);
            let schema = schema
                .map_err(|error| Error::new(ErrorKind::System, format!("unreadable columns: {error}")))?;
            combined.add(&schema);
        }
        Ok(Some(combined))
    }

    /// Remembers what was noticed while traces were read. A repeated query reads some of them again.
    pub(super) fn note(&self, worker: usize, noticed: Vec<UnitFindings>) {
        let mut state = self.lock();
        // The same path can be another trace on another machine.
        let place = |message: String| format!("worker {}: {message}", self.addresses[worker]);
        for (key, noticed) in noticed {
            let new = Findings::from(noticed);
            let known = state.findings.entry(key).or_default();
            known.is_damaged |= new.is_damaged;
            for error in new.errors {
                let error = Error { message: place(error.message), ..error };
                if !known.errors.contains(&error) {
                    known.errors.push(error);
                }
            }
            for (message, help) in new.warnings {
                let warning = (place(message), help);
                if !known.warnings.contains(&warning) {
                    known.warnings.push(warning);
                }
            }
            if new.dropped.records > known.dropped.records {
                known.dropped = new.dropped;
            }
        }
    }

    /// Returns what was noticed since the last call.
    pub(crate) fn findings(&self) -> Findings {
        let mut state = self.lock();
        let mut all = Findings { warnings: std::mem::take(&mut state.warnings), ..Findings::default() };
        for found in std::mem::take(&mut state.findings).into_values() {
            all.errors.extend(found.errors);
            all.warnings.extend(found.warnings);
            all.is_damaged |= found.is_damaged;
            all.dropped.add(found.dropped);
        }
        all
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
