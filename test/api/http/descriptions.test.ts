import { describe, expect, it } from 'vitest';
import { fieldMeanings } from '../../../api/http/openapi/meanings/fields.js';
import { parameterMeanings } from '../../../api/http/openapi/meanings/parameters.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';

const document = openApiDocument(routes);

type Described = Record<string, unknown> & { description?: string };

/** Fields and parameters of the document, each with its name, its description and where it is. */
function describedParts(): { name: string; description: string; at: string }[] {
  const parts: { name: string; description: string; at: string }[] = [];
  const note = (name: string, { description = '' }: Described, at: string) =>
    parts.push({ name, description, at: `${at}: ${name}` });
  const walk = (schema: unknown, at: string): void => {
    for (const inner of [schema].flat()) {
      if (typeof inner === 'object' && inner !== null) walkOne(inner as Described, at);
    }
  };
  const walkOne = (schema: Described, at: string): void => {
    const { properties = {}, ...rest } = schema as { properties?: Record<string, Described> } & Described;
    for (const [name, property] of Object.entries(properties)) {
      note(name, property, at);
      walk(property, `${at}.${name}`);
    }
    for (const keyword of ['items', 'anyOf', 'oneOf', 'additionalProperties', 'schema'])
      walk(rest[keyword], at);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
  for (const methods of [...Object.values(document.paths), ...Object.values(document.webhooks)]) {
    for (const { operationId, parameters = [], responses } of Object.values(methods)) {
      for (const one of parameters as (Described & { name: string })[]) note(one.name, one, operationId);
      for (const { content = {} } of Object.values(responses) as { content?: Record<string, object> }[]) {
        for (const media of Object.values(content)) walk(media, operationId);
      }
    }
  }
  return parts;
}

describe('the description of every field and parameter', () => {
  const parts = describedParts();

  it('says what it is, and not only its name, its form or its default', () => {
    const words = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
    const isTrivial = ({ name, description }: (typeof parts)[number]) =>
      description.length < 12 ||
      words(description) === words(name) ||
      /^(Defaults?\b|ISO 8601|E\.164|Needs the permission|(true|false) needs)/.test(description);
    expect(parts.length).toBeGreaterThan(1_000);
    expect(parts.filter(isTrivial).map(({ at, description }) => `${at} (${description})`)).toEqual([]);
  });

  it('uses every meaning of the tables', () => {
    const used = new Set(parts.map(({ description }) => description));
    const isUsed = (meaning: string) => {
      const [before = '', after] = meaning.split('{noun}');
      if (after === undefined) return used.has(meaning);
      return [...used].some((text) => text.startsWith(before) && text.endsWith(after));
    };
    const meanings = [...Object.entries(fieldMeanings), ...Object.entries(parameterMeanings)];
    expect(meanings.filter(([, meaning]) => !isUsed(meaning))).toEqual([]);
  });
});
