import { expect, it } from 'vitest';
import { auditActions } from '../../console/settings/audit/actions.js';
import { de } from '../../console/settings/audit/texts/de.js';
import { en } from '../../console/settings/audit/texts/en.js';
import { es } from '../../console/settings/audit/texts/es.js';
import { auditSubjects, auditActions as known } from '../../domain/kernel/audit/audit-actions.js';

it('offers each action of the audit log', () => {
  expect([...auditActions].sort()).toEqual(Object.keys(known).sort());
});

it.each([en, de, es])('has words for each action and subject', ({ things, done }) => {
  const parts = auditActions.map((action) => action.split(':'));
  expect(parts.filter(([thing = '', what = '']) => !(thing in things && what in done))).toEqual([]);
  expect(auditSubjects.filter((subject) => !(subject in things))).toEqual([]);
});
