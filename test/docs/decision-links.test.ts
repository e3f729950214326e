import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
const index = readFileSync(new URL('README.md', folder), 'utf8');

const link = String.raw`\[\d+\]\(\d{4}-[a-z0-9-]+\.md\)`;
const links = `${link}(?:(?:, ${link})* and ${link})?`;
const statusForm = new RegExp(
  String.raw`^Date: \d{4}-\d\d-\d\d\. Status: (?:accepted|amended by ${links}|superseded by ${links})\.$`,
);
const relationForm = new RegExp(String.raw`^(?:Changes|Supersedes) decisions? ${links}\.$`);
const records = files.map(readRecord);

describe('a record of a decision', () => {
  it('has its date and status in the third line, in one form', () => {
    const odd = records.filter(({ status }) => !statusForm.test(status));

    expect(odd.map(({ name, status }) => `${name}: ${status}`)).toEqual([]);
  });

  it('says in one form, below its status, which decisions it changes or supersedes', () => {
    const odd = records.flatMap(({ name, lines }) =>
      lines
        .filter((line) => /^(?:Changes|Supersedes|Amends|Replaces)\b/.test(line))
        .filter((line) => !relationForm.test(line) || lines.indexOf(line) > 5)
        .map((line) => `${name}: ${line}`),
    );

    expect(odd).toEqual([]);
  });

  it('links to the records that it names', () => {
    const broken = records.flatMap(({ name, status, relations }) =>
      [status, ...relations]
        .flatMap(linksIn)
        .filter(({ number, file }) => !files.includes(file) || Number(file.slice(0, 4)) !== number)
        .map(({ number, file }) => `${name}: ${number} ${file}`),
    );

    expect(broken).toEqual([]);
  });

  it.each([
    ['Changes', 'amended'],
    ['Supersedes', 'superseded'],
  ])('says "%s" of each decision that is %s by it, and of no other', (says, has) => {
    const said = records.flatMap(({ number, relations }) =>
      relations
        .filter((line) => line.startsWith(says))
        .flatMap(linksIn)
        .map((earlier) => `${earlier.number} by ${number}`),
    );
    const stated = records
      .filter(({ status }) => status.includes(`Status: ${has} by`))
      .flatMap(({ number, status }) => linksIn(status).map((later) => `${number} by ${later.number}`));

    expect(said.sort()).toEqual(stated.sort());
  });
});

describe('the index of decisions', () => {
  it('has the rows of each area in the order of their numbers', () => {
    const areas = index.split('\n## ').slice(1);
    const unordered = areas.filter((area) => {
      const numbers = [...area.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
      return numbers.some((number, place) => number < (numbers[place - 1] ?? 0));
    });

    expect(unordered.map((area) => area.slice(0, area.indexOf('\n')))).toEqual([]);
  });
});

function readRecord(name: string) {
  const lines = readFileSync(new URL(name, folder), 'utf8').split('\n');
  return {
    name,
    number: Number(name.slice(0, 4)),
    lines,
    status: lines[2] ?? '',
    relations: lines.filter((line) => relationForm.test(line)),
  };
}

function linksIn(line: string): { number: number; file: string }[] {
  return [...line.matchAll(/\[(\d+)\]\(([^)]*)\)/g)].map(([, number, file = '']) => ({
    number: Number(number),
    file,
  }));
}
