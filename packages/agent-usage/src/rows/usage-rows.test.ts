import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionFacts, Used } from '../facts/session-facts.ts';
import { usageCsv } from '../print/usage-csv.ts';
import { usageText } from '../print/usage-text.ts';
import { type UsageDimension, usageReport } from './usage-rows.ts';
import { usageSeries } from './usage-series.ts';

const used: fc.Arbitrary<Used> = fc.record({
  calls: fc.nat(9),
  input: fc.nat(1e6),
  output: fc.nat(1e5),
  cacheRead: fc.nat(1e6),
  cacheWrite: fc.nat(1e5),
  cost: fc.nat(1e6).map((millionths) => millionths / 1e6),
});
const day = fc.constantFrom('2026-01-30', '2026-01-31', '2026-02-01');
const name = fc.constantFrom('a', 'b', '=c', 'd,"e"');
const key = fc.record({ day, model: name, agent: name, purpose: name });
const session: fc.Arbitrary<SessionFacts> = fc.record({
  project: fc.constantFrom('/shop', '/shop/api', '/shopping'),
  spent: fc.array(fc.tuple(key, used).map(([about, numbers]) => ({ ...about, ...numbers }))),
  tools: fc.constant([]),
  breaks: fc.constant([]),
});
const sessions = fc.array(session, { maxLength: 5 });
const tables: readonly UsageDimension[] = ['day', 'project', 'model', 'agent', 'purpose'];

describe('usage by day and model', () => {
  it('adds up to the rows of days, of the same days and projects', () => {
    const queries = fc.record({
      since: fc.option(day, { nil: undefined }),
      project: fc.constantFrom(undefined, '/shop'),
    });
    fc.assert(
      fc.property(sessions, queries, (given, query) => {
        const rows = usageReport(given, query).rows.filter(({ by }) => by === 'day');
        const { days } = usageSeries(given, query);
        expect(days.map((each) => each.day)).toEqual(rows.map((row) => row.name));
        for (const [index, { models }] of days.entries())
          for (const number of ['calls', 'input', 'output', 'cost'] as const) {
            const sum = models.reduce((before, model) => before + model[number], 0);
            expect(sum).toBeCloseTo(rows[index]?.[number] ?? 0, 5);
          }
      }),
    );
  });

  it('counts breaks of the cache by day, reason and session', () => {
    const broken = { day: '2026-01-30', reason: 'tools', ...nothing, calls: 2, input: 100, cost: 0.5 };
    const session = { project: '/shop', spent: [], tools: [], breaks: [{ ...broken, detail: 'catalog' }] };
    expect(usageSeries([session, session]).breaks).toEqual([
      { day: '2026-01-30', reason: 'tools', count: 4, sessions: 2, tokens: 200, cost: 1, detail: 'catalog' },
    ]);
  });
});

const nothing: Used = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

describe('the rows of usage', () => {
  it('add up to the total in every table', () => {
    fc.assert(
      fc.property(sessions, (given) => {
        const { rows } = usageReport(given);
        const [total] = rows;
        for (const table of tables) {
          const own = rows.filter(({ by }) => by === table);
          for (const number of ['calls', 'input', 'output', 'cacheRead', 'cacheWrite', 'cost'] as const) {
            const sum = own.reduce((before, row) => before + row[number], 0);
            expect(sum).toBeCloseTo(total?.[number] ?? 0, 5);
          }
        }
      }),
    );
  });

  it('are those of the days and the project that are asked for', () => {
    fc.assert(
      fc.property(sessions, (given) => {
        const { rows } = usageReport(given, { since: '2026-01-31', until: '2026-01-31', project: '/shop' });
        const names = (table: UsageDimension) =>
          rows.flatMap(({ by, name: each }) => (by === table ? [each] : []));
        expect(names('day').every((each) => each === '2026-01-31')).toBe(true);
        expect(names('project')).not.toContain('/shopping');
      }),
    );
  });

  it('print as tables of the width of the screen, and as CSV that gives them back', () => {
    fc.assert(
      fc.property(sessions, fc.integer({ min: 40, max: 160 }), (given, columns) => {
        const report = usageReport(given);
        const text = usageText(report, { columns, by: tables });
        expect(
          text
            .split('\n')
            .slice(1)
            .every((line) => line.length <= columns),
        ).toBe(true);
        const csv = usageCsv(report.rows);
        expect(csv.split('\r\n')).toHaveLength(report.rows.length + 2);
        expect(csv).not.toMatch(/(^|,)=/m);
      }),
    );
    const row = { ...usageReport([]).rows[0], by: 'model', name: 'd,"e"' } as never;
    expect(usageCsv([row])).toContain('model,"d,""e""",0,0,0,0,0,0,,\r\n');
  });
});
