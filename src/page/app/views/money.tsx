/** What it cost, against budgets; and how healthy the project is. */
import type { MoneyView } from '../../../reading/views.ts';
import { sumOfKnown } from '../../../domain/known-money.ts';
import { knownMoney } from '../../../reading/figures.ts';
import { CommandLine, count, Empty, featureName, Meter, money, plural, Problem, Waiting } from '../parts/bits.tsx';
import { Bars, SumPlot, type BarRow } from '../parts/plot.tsx';
import { useView } from '../store.ts';

export function MoneyPage({ project }: { project: string }) {
  const { value, error } = useView<MoneyView>(`p/${project}/money`);
  return (
    <>
      <h1>
        {value === null || value.sessions.length === 0
          ? 'Money and health'
          : `${value.spent_usd === null ? 'Unknown cost' : `${money(value.spent_usd)} spent`} in ${plural(value.sessions.length, 'session')}`}
      </h1>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the costs" />}
      {value !== null && (value.sessions.length === 0 ? <Nothing /> : <Spending view={value} />)}
      {value?.health !== undefined && value?.health !== null && <Health view={value} health={value.health} />}
    </>
  );
}

function Nothing() {
  return (
    <Empty title="Nothing was spent yet">
      <p>Costs appear with the first session.</p>
      <CommandLine text="harness run --dry-run" />
    </Empty>
  );
}

function Spending({ view }: { view: MoneyView }) {
  let sum = 0;
  const points = view.sessions.map((row) => ({ at: Date.parse(row.ended_at), value: (sum += row.cost_usd ?? 0) }));
  const { tokens, budgets } = view;
  const input = tokens.input + tokens.cached;
  const refused = view.sessions.filter(({ outcome }) => outcome !== 'verified' && outcome !== 'complete');
  const lost = sumOfKnown(refused.map((row) => row.cost_usd));
  return (
    <>
      <p class="lead">
        {lost === null
          ? `${plural(refused.length, 'session')} did not land, at unknown cost.`
          : `${money(lost)} of it went to ${plural(refused.length, 'session')} that did not land.`}
        {view.spent_usd !== null &&
          view.sessions_without_cost > 0 &&
          ` ${plural(view.sessions_without_cost, 'session')} of unknown cost ${view.sessions_without_cost === 1 ? 'is' : 'are'} missing.`}
      </p>
      <div class="meters wide">
        {budgets !== null && view.spent_usd !== null && (
          <Meter label="Project budget" value={view.spent_usd} of={budgets.total_project_usd} format={money} />
        )}
        {input > 0 && <Meter label="Input read from cache" value={tokens.cached} of={input} format={count} harmless />}
      </div>
      <SumPlot label="Spending over time" points={points} limit={budgets?.total_project_usd ?? null} />
      <div class="columns">
        <section>
          <h2>By feature</h2>
          <Bars rows={view.by_feature.map((spent) => ({ ...barOf(spent), name: titled(spent.what, view) }))} />
        </section>
        <section>
          <h2>By role</h2>
          <Bars rows={view.by_role.map(barOf)} />
        </section>
        <section>
          <h2>By model</h2>
          <Bars rows={view.by_model.map(barOf)} />
        </section>
      </div>
    </>
  );
}

function titled(what: string, { sessions }: MoneyView): string {
  const title = sessions.find(({ feature }) => feature !== null && featureName(feature) === what)?.title ?? null;
  return title === null ? what : `${what} ${title}`;
}

function barOf({ what, cost_usd, sessions, sessions_without_cost }: MoneyView['by_role'][number]): BarRow {
  return {
    name: what.replace(/^project\//, ''),
    value: cost_usd ?? 0,
    text: `${knownMoney({ cost_usd, sessions_without_cost })} · ${plural(sessions, 'session')}`,
  };
}

const WORDS = { GOOD: 'good', FAIR: 'fair', POOR: 'poor' } as const;

function Health({ view, health }: { view: MoneyView; health: NonNullable<MoneyView['health']> }) {
  const percent = (value: number): string => `${Math.round(value * 100)}%`;
  const parts: [string, number | null, string][] = [
    ['Features', health.feature_completion, 'of the list pass'],
    ['Tests', health.test_pass_rate, health.tests === null ? '' : `${health.tests.passing} of ${health.tests.total} pass`],
    ['Lint', health.lint_score, 'by errors per line'],
    ['Files', health.file_health, 'within the limit of lines'],
  ];
  const grown = view.growth.filter(({ lines, before }) => lines !== before);
  return (
    <section>
      <h2>
        Health: {WORDS[health.status]} ({percent(health.overall)})
      </h2>
      <ul class="health">
        {parts.map(([name, value, more]) => (
          <li key={name}>
            <span class="health-value">{value === null ? '–' : percent(value)}</span>
            <span>
              {name}
              <span class="dim small"> {value === null ? 'not known yet' : more}</span>
            </span>
          </li>
        ))}
      </ul>
      {health.oversized.length > 0 && (
        <p>Over the limit: {health.oversized.map(({ file, lines }) => `${file} (${lines} lines)`).join(', ')}.</p>
      )}
      <h3>Largest files</h3>
      <Bars
        most={8}
        rows={view.growth.map(({ file, lines, before }) => ({
          name: file,
          value: lines,
          text: `${plural(lines, 'line')}${lines === before ? '' : ` (${lines > before ? '+' : '−'}${Math.abs(lines - before)})`}`,
        }))}
      />
      {grown.length === 0 && view.growth.length > 0 && <p class="dim">No file has grown since it was first measured.</p>}
    </section>
  );
}
