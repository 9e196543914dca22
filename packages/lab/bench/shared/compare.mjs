import { inRounds } from './rounds.mjs';
import { fixed, ratio, roundsOf } from './table.mjs';

const COLUMNS = [
  'per second',
  'p50 / p99 ms',
  'CPU ms: service + PostgreSQL',
  'bare: per second',
  'CPU ms',
  '÷ bare',
  'by CPU',
];
const OF_BEFORE = ['before: per second', 'p50 / p99 ms', 'CPU ms', '÷ before', 'by CPU'];

/**
 * Prints one table that compares the product, the bare server and the previous checkout. A row's
 * `run(target)` returns the result of `load`; its `targets` lists the servers to compare.
 */
export async function compareRows({ what, rows, targets, machine, report, options, beforeRow }) {
  report.head([what, ...COLUMNS, ...(options.before ? OF_BEFORE : []), 'rounds']);
  for (const row of rows.filter(({ title }) => title.startsWith(options.only))) {
    const asked = targets.filter((target) => !row.targets || row.targets.includes(target.name));
    await beforeRow?.(row);
    const rounds = await inRounds(machine, asked, options.rounds, row.run, row.prepare);
    const [own, bare, before] = ['own', 'bare', 'before'].map((name) => {
      const target = asked.find((each) => each.name === name);
      return target ? rounds.of(target) : null;
    });
    const cost = (each) => (each ? `${fixed(each.service, 2)} + ${fixed(each.database, 2)}` : '–');
    const times = (each) => (each ? `${fixed(each.p50)} / ${fixed(each.p99)}` : '–');
    report.row([
      row.title,
      fixed(own.perSecond),
      times(own),
      cost(own),
      fixed(bare?.perSecond),
      cost(bare),
      ratio(own.perSecond, bare?.perSecond),
      ratio(bare && cpuOf(bare), cpuOf(own)),
      ...(options.before
        ? [
            fixed(before?.perSecond),
            times(before),
            cost(before),
            ratio(own.perSecond, before?.perSecond),
            ratio(before && cpuOf(before), cpuOf(own)),
          ]
        : []),
      roundsOf(rounds),
    ]);
  }
}

const cpuOf = ({ service, database }) => service + database;
