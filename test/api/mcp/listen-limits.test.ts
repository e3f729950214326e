import { describe, expect, it } from 'vitest';
import { admissionTerms } from '../../../domain/kernel/admissions.js';
import { Admission } from '../../../domain/lib/admission.js';

const terms = admissionTerms.listeners;
const { each, slots } = terms;
const refused = expect.objectContaining({ code: 'too_many_streams', retryAfterSeconds: expect.any(Number) });
const listeners = () => new Admission(terms);

/** The stream `index` of a workspace, of as few credentials and members as may have so many. */
const stream = (workspace: number, index: number) => ({
  workspace,
  member: workspace * 1_000 + Math.floor(index / each.member),
  credential: workspace * 1_000 + Math.floor(index / each.credential),
});

/** Opens as many streams as a workspace may have. @returns what closes each */
const fill = (limits: ReturnType<typeof listeners>, workspace: number) =>
  Array.from({ length: each.workspace }, (_, index) => limits.admit(stream(workspace, index)));

describe('the open streams of notices', () => {
  it('of a workspace are bounded, whoever opens them, and leave those of others alone', () => {
    const limits = listeners();
    const closing = fill(limits, 1);
    const another = stream(1, each.workspace);
    expect(() => limits.admit(another)).toThrow(refused);
    limits.admit(stream(2, 0));
    closing[7]?.();
    limits.admit(another);
    expect(() => limits.admit(stream(1, each.workspace + each.member))).toThrow(refused);
  });

  it('of a process are bounded, and make room when they end', () => {
    const limits = listeners();
    const closing = Array.from({ length: slots / each.workspace }, (_, at) => fill(limits, at + 1)).flat();
    expect(closing).toHaveLength(slots);
    expect(() => limits.admit(stream(99, 0))).toThrow(refused);
    closing[0]?.();
    limits.admit(stream(99, 0));
    expect(() => limits.admit(stream(99, 1))).toThrow(refused);
    // What is refused is counted nowhere.
    for (const close of closing.slice(1)) close();
    expect(fill(limits, 98)).toHaveLength(each.workspace);
  });

  it('of a member are bounded over all of its credentials', () => {
    const limits = listeners();
    for (let index = 0; index < each.member; index += 1) limits.admit(stream(1, index));
    const third = { ...stream(1, 0), credential: 7 };
    expect(() => limits.admit(third)).toThrow(refused);
  });

  it('of a credential are bounded', () => {
    const limits = listeners();
    for (let index = 0; index < each.credential; index += 1) limits.admit(stream(1, index));
    expect(() => limits.admit(stream(1, 0))).toThrow(refused);
  });
});
