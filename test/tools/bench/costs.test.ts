import { expect, it } from 'vitest';
import { countLog, difference, ofOne, readProcessTimes } from '../../../tools/bench/costs/counts.js';
import { costTable } from '../../../tools/bench/costs/measure-costs.js';

it('counts commits, rows and bytes in the log, without what the server writes by itself', () => {
  const log = [
    { kind: 'Heap/INSERT', records: 3, bytes: 300 },
    { kind: 'Heap/INSERT+INIT', records: 1, bytes: 100 },
    { kind: 'Heap/HOT_UPDATE', records: 2, bytes: 100 },
    { kind: 'Heap/UPDATE', records: 1, bytes: 90 },
    { kind: 'Heap/DELETE', records: 1, bytes: 50 },
    { kind: 'Heap2/MULTI_INSERT', records: 1, bytes: 60 },
    { kind: 'Heap/LOCK', records: 4, bytes: 200 },
    { kind: 'Btree/INSERT_LEAF', records: 9, bytes: 600 },
    { kind: 'Transaction/COMMIT', records: 2, bytes: 70 },
    { kind: 'Standby/RUNNING_XACTS', records: 1, bytes: 54 },
    { kind: 'XLOG/CHECKPOINT_ONLINE', records: 1, bytes: 114 },
    { kind: 'LogicalMessage/MESSAGE', records: 2, bytes: 59 },
  ];
  expect(countLog(log)).toEqual({ commits: 2, rows: 9, walBytes: 1_570 });
});

it('reads the times of a process whose name has spaces and parentheses', () => {
  const fields = ['S', '41', ...Array(9).fill('0'), '120', '30', '7', '5', '20'];
  const times = readProcessTimes(`4711 (postgres: a) (b) ${fields.join(' ')}`);
  expect(times).toEqual({ parent: 41, ownTicks: 150, childTicks: 12 });
});

it('takes what a system does at rest from what operations cost, and counts what is new from nothing', () => {
  const counts = difference({ statements: 250, actions: 12 }, { statements: 50 });
  expect(counts).toEqual({ statements: 200, actions: 12 });
  const one = ofOne(counts, { statements: 50, actions: 0 }, { times: 10, ms: 2_000, restMs: 1_000 });
  expect(one).toEqual({ statements: 10, actions: 1.2 });
  expect(ofOne({ rows: 1 }, { rows: 3 }, { times: 1, ms: 1, restMs: 1 })).toEqual({ rows: 0 });
});

it('writes costs as a table, with nothing for a process that did not run', () => {
  const counts = {
    commits: 1,
    rows: 2.25,
    statements: 5,
    walBytes: 1_234.4,
    notifies: 0,
    actions: 0,
    'api ms': 0.456,
    'PostgreSQL ms': 1,
  };
  const [, row = ''] = costTable([{ name: 'one', title: 'One', times: 3, counts }]).split('\n');
  expect(row.split(/ {2,}/)).toEqual(['One', '1', '2.3', '5', '1234', '0', '0', '0.46', '1.00']);
});
