//! SQL over opened traces.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{MemoryCatalogProvider, MemorySchemaProvider, SchemaProvider, TableProvider};
use datafusion::common::{ParamValues, Result as PlanResult, ScalarValue};
use datafusion::dataframe::DataFrame;
use datafusion::execution::context::{SQLOptions, SessionConfig, SessionContext};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::{DFParser, Statement};
use ringtrace_events::message::visible;
use ringtrace_tracefile::{Causes, Dropped};

use crate::dataset::Dataset;
use crate::error::{Error, ErrorKind};
use crate::failure::{failed, place, with_place};
use crate::provider;
use crate::report::Findings;
use crate::source::Source;
use crate::store::Remote;
use crate::workers::{Fleet, MoveToWorkers};

/// The names of the catalog and of the schema with all tables.
const CATALOG: &str = "ringtrace";
const SCHEMA: &str = "public";

/// The number of rows that operators process at once.
const BATCH_ROWS: usize = 1 << 14;

/// The limits of queries.
#[derive(Debug, Clone, Copy)]
pub struct Resources {
    /// The number of threads that process rows.
    pub threads: usize,
    /// The limit for the memory of sorting, grouping and joining, in bytes. Beyond it, rows are
    /// stored in temporary files where possible.
    pub memory_bytes: usize,
}

/// The source of the tables.
#[derive(Debug, Clone)]
pub enum Tables {
    /// Traces.
    Traces(Arc<Source>),
    /// A dataset.
    Dataset(Arc<Dataset>),
    /// Traces or datasets that workers read.
    Fleet(Arc<Fleet>),
}

impl Tables {
    /// Returns the names of all tables.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        match self {
            Tables::Traces(source) => source.table_names(),
            Tables::Dataset(dataset) => dataset.table_names(),
            Tables::Fleet(fleet) => Ok(fleet.table_names().to_vec()),
        }
    }

    /// Returns the dataset, if it is in an object store.
    fn remote(&self) -> Option<&Remote> {
        match self {
            Tables::Dataset(dataset) => dataset.remote(),
            Tables::Traces(_) | Tables::Fleet(_) => None,
        }
    }

    fn advice(&self, name: &str) -> String {
        match self {
            Tables::Traces(source) => source.advice(name),
            Tables::Dataset(dataset) => dataset.advice(name),
            Tables::Fleet(fleet) => fleet.advice(name),
        }
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>, Error> {
        match self {
            Tables::Traces(source) => provider::table(Arc::clone(source), name),
            Tables::Dataset(dataset) => dataset.table(name),
            Tables::Fleet(fleet) => Ok(fleet.table(name).await?.map(|table| Arc::new(table) as _)),
        }
    }
}

impl From<Source> for Tables {
    fn from(source: Source) -> Tables {
        Tables::Traces(Arc::new(source))
    }
}

impl From<Dataset> for Tables {
    fn from(dataset: Dataset) -> Tables {
        Tables::Dataset(Arc::new(dataset))
    }
}

impl From<Fleet> for Tables {
    fn from(fleet: Fleet) -> Tables {
        Tables::Fleet(Arc::new(fleet))
    }
}

/// Runs queries on opened traces, on a dataset, or on workers.
pub struct Session {
    context: SessionContext,
    tables: Tables,
    resources: Resources,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl Session {
    /// Creates a session.
    ///
    /// # Errors
    /// There is no folder for temporary files.
    pub fn new(tables: impl Into<Tables>, resources: Resources) -> Result<Session, Error> {
        let mut config = SessionConfig::new()
            .with_target_partitions(resources.threads.max(1))
            .with_batch_size(BATCH_ROWS)
            // Rows stay in the order of the trace. Another thread decodes them already.
            .with_round_robin_repartition(false)
            .with_create_default_catalog_and_schema(false)
            .with_default_catalog_and_schema(CATALOG, SCHEMA)
            .with_information_schema(true);
        let options = config.options_mut();
        // Names of arguments can contain capital letters.
        options.sql_parser.enable_ident_normalization = false;
        options.sql_parser.collect_spans = true;
        let environment = RuntimeEnvBuilder::new().with_memory_limit(resources.memory_bytes, 1.0);
        let environment = environment.build_arc().map_err(|error| failed(&error, ""))?;
        let tables = tables.into();
        let mut state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(environment)
            .with_default_features();
        if matches!(tables, Tables::Fleet(_)) {
            state = state.with_physical_optimizer_rule(Arc::new(MoveToWorkers));
        }
        let context = SessionContext::new_with_state(state.build());
        if let Some(remote) = tables.remote() {
            let (url, objects) = remote.bucket();
            context.register_object_store(url, objects);
        }
        let catalog = Arc::new(MemoryCatalogProvider::new());
        context.register_catalog(CATALOG, Arc::clone(&catalog) as _);
        let schema = TraceSchema { tables: tables.clone(), views: MemorySchemaProvider::new() };
        datafusion::catalog::CatalogProvider::register_schema(&*catalog, SCHEMA, Arc::new(schema))
            .map_err(|error| failed(&error, ""))?;
        Ok(Session { context, tables, resources })
    }

    /// Returns the limits of queries.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// Returns the source of the tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns what was noticed while the traces were read for the queries since the last call. For
    /// a dataset, these are the damage and the lost events of all of its traces.
    pub async fn findings(&self) -> Findings {
        match &self.tables {
            Tables::Traces(source) => source.report().take(),
            // If these files cannot be read, the query has failed, too.
            Tables::Dataset(_) => self.recorded().await.unwrap_or_default(),
            Tables::Fleet(fleet) if fleet.has_datasets() => {
                let mut findings = loop {
                    let losses = fleet.losses();
                    match self.recorded().await {
                        Ok(findings) => break findings,
                        // Workers were lost after the query.
                        Err(_) if fleet.losses() > losses => {}
                        Err(error) => {
                            let errors = vec![failed(&error, "")];
                            break Findings { errors, ..Findings::default() };
                        }
                    }
                };
                findings.warnings.extend(fleet.findings().warnings);
                findings
            }
            Tables::Fleet(fleet) => fleet.findings(),
        }
    }

    async fn recorded(&self) -> PlanResult<Findings> {
        let mut findings = Findings::default();
        let damaged = "select trace, damage from traces where damage is not null order by trace";
        for batch in self.context.sql(damaged).await?.collect().await? {
            for row in 0..batch.num_rows() {
                let value = |column: usize| ScalarValue::try_from_array(batch.column(column), row);
                let message = format!("trace {} is damaged: {}", value(0)?, value(1)?);
                findings.errors.push(Error::new(ErrorKind::Input, message));
            }
        }
        let lost = "select sum(dropped), sum(overwritten), sum(refused) from traces";
        for batch in self.context.sql(lost).await?.collect().await? {
            let count = |column: usize| match ScalarValue::try_from_array(batch.column(column), 0) {
                Ok(ScalarValue::Int64(Some(count))) => u64::try_from(count).unwrap_or(0),
                _ => 0,
            };
            let causes = Causes { dropped: count(0), overwritten: count(1), refused: count(2) };
            let events = causes.dropped.saturating_add(causes.overwritten).saturating_add(causes.refused);
            findings.dropped = Dropped { records: events, events, miscounted: 0, causes };
        }
        Ok(findings)
    }

    /// Returns DataFusion's context, which contains the tables.
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Parses statements, which are separated by semicolons.
    ///
    /// # Errors
    /// The text is not valid SQL.
    pub fn parse(&self, sql: &str) -> Result<Vec<Statement>, Error> {
        let statements = DFParser::parse_sql(sql).map_err(|error| failed(&error, sql))?;
        if statements.is_empty() {
            return Err(Error::usage("the query is empty"));
        }
        Ok(statements.into())
    }

    /// Plans a statement of the text `sql`. `parameters` are the values of `$name` in it.
    ///
    /// # Errors
    /// The statement names unknown tables or columns, or has wrong types, or would change data.
    pub async fn plan(
        &self,
        statement: Statement,
        sql: &str,
        parameters: &HashMap<String, ScalarValue>,
    ) -> Result<DataFrame, Error> {
        let state = self.context.state();
        for reference in state.resolve_table_references(&statement).map_err(|error| failed(&error, sql))? {
            let name = reference.table();
            let is_ours = reference.schema().is_none_or(|schema| schema == SCHEMA);
            if is_ours && !self.has_table(name).await? {
                let error = Error::usage(with_place(
                    &format!("there is no table `{}`", visible::text(name)),
                    place(sql, name),
                    sql,
                ));
                return Err(error.help(self.tables.advice(name)));
            }
        }
        let plan = state.statement_to_plan(statement).await.map_err(|error| failed(&error, sql))?;
        let plan = match parameters.is_empty() {
            true => plan,
            false => plan
                .with_param_values(ParamValues::from(parameters.clone()))
                .map_err(|error| failed(&error, sql))?,
        };
        SQLOptions::new().with_allow_dml(false).verify_plan(&plan).map_err(|error| {
            failed(&error, sql).help("traces are not changed; --output writes the result to a file")
        })?;
        self.execute(plan).await.map_err(|error| failed(&error, sql))
    }

    async fn execute(&self, plan: LogicalPlan) -> PlanResult<DataFrame> {
        self.context.execute_logical_plan(plan).await
    }

    async fn has_table(&self, name: &str) -> Result<bool, Error> {
        let schema = self.context.catalog(CATALOG).and_then(|catalog| catalog.schema(SCHEMA));
        let Some(schema) = schema else { return Ok(false) };
        Ok(schema.table(name).await.map_err(|error| failed(&error, ""))?.is_some())
    }

    /// Returns the columns of the table `name`, or `None` if there is no such table.
    ///
    /// # Errors
    /// A trace cannot be opened, or the name is an invalid pair.
    pub async fn columns(&self, name: &str) -> Result<Option<SchemaRef>, Error> {
        let schema = self.context.catalog(CATALOG).and_then(|catalog| catalog.schema(SCHEMA));
        let Some(schema) = schema else { return Ok(None) };
        let table = schema.table(name).await.map_err(|error| failed(&error, ""))?;
        Ok(table.map(|table| table.schema()))
    }
}

/// The schema with the tables of traces, and the views that queries create.
#[derive(Debug)]
struct TraceSchema {
    tables: Tables,
    views: MemorySchemaProvider,
}

#[async_trait]
impl SchemaProvider for TraceSchema {
    fn table_names(&self) -> Vec<String> {
        let mut names = self.tables.names().unwrap_or_default();
        names.extend(self.views.table_names());
        names
    }

    async fn table(&self, name: &str) -> PlanResult<Option<Arc<dyn TableProvider>>> {
        match self.views.table(name).await? {
            Some(view) => Ok(Some(view)),
            None => {
                if let Tables::Dataset(dataset) = &self.tables {
                    dataset.prepare(name).await?;
                }
                Ok(self.tables.table(name).await?)
            }
        }
    }

    fn register_table(
        &self,
        name: String,
        table: Arc<dyn TableProvider>,
    ) -> PlanResult<Option<Arc<dyn TableProvider>>> {
        self.views.register_table(name, table)
    }

    fn deregister_table(&self, name: &str) -> PlanResult<Option<Arc<dyn TableProvider>>> {
        self.views.deregister_table(name)
    }

    fn table_exist(&self, name: &str) -> bool {
        self.views.table_exist(name)
            || self.tables.names().is_ok_and(|names| names.iter().any(|known| known == name))
    }
}
