import { describe, expect, it } from 'vitest';
import { ListenLimits, mostListening } from '../../../api/mcp/subscriptions/listen-limits.js';

const { ofProcess, ofWorkspace, ofMember, ofCredential } = mostListening;
const refused = expect.objectContaining({ code: 'too_many_streams', retryAfterSeconds: expect.any(Number) });

/** The stream `index` of a workspace, of as few credentials and members as may have so many. */
const stream = (workspaceId: number, index: number) => ({
  workspaceId,
  memberId: workspaceId * 1_000 + Math.floor(index / ofMember),
  credential: { id: workspaceId * 1_000 + Math.floor(index / ofCredential) },
});

/** Opens as many streams as a workspace may have. @returns what closes each */
const fill = (limits: ListenLimits, workspaceId: number) =>
  Array.from({ length: ofWorkspace }, (_, index) => limits.admit(stream(workspaceId, index)));

describe('the open streams of notices', () => {
  it('of a workspace are bounded, whoever opens them, and leave those of others alone', () => {
    const limits = new ListenLimits();
    const closing = fill(limits, 1);
    const another = stream(1, ofWorkspace);
    expect(() => limits.admit(another)).toThrow(refused);
    limits.admit(stream(2, 0));
    closing[7]?.();
    limits.admit(another);
    expect(() => limits.admit(stream(1, ofWorkspace + ofMember))).toThrow(refused);
  });

  it('of a process are bounded, and make room when they end', () => {
    const limits = new ListenLimits();
    const closing = Array.from({ length: ofProcess / ofWorkspace }, (_, at) => fill(limits, at + 1)).flat();
    expect(closing).toHaveLength(ofProcess);
    expect(() => limits.admit(stream(99, 0))).toThrow(refused);
    closing[0]?.();
    limits.admit(stream(99, 0));
    expect(() => limits.admit(stream(99, 1))).toThrow(refused);
    // What is refused is counted nowhere.
    for (const close of closing.slice(1)) close();
    expect(fill(limits, 98)).toHaveLength(ofWorkspace);
  });

  it('of a member are bounded over all of its credentials', () => {
    const limits = new ListenLimits();
    for (let index = 0; index < ofMember; index += 1) limits.admit(stream(1, index));
    const third = { ...stream(1, 0), credential: { id: 7 } };
    expect(() => limits.admit(third)).toThrow(refused);
  });

  it('of a credential are bounded', () => {
    const limits = new ListenLimits();
    for (let index = 0; index < ofCredential; index += 1) limits.admit(stream(1, index));
    expect(() => limits.admit(stream(1, 0))).toThrow(refused);
  });
});
