import { useRef, useState } from 'react';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { useWorkspace } from '../kit/workspace.js';
import type { DataRecord, DataType } from './queries.js';

type Values = Readonly<Record<string, unknown>>;

interface Draft {
  /** What was written, by the slugs of its fields. */
  written: Values;
  /** When the record was last changed before it was written. */
  since?: string | undefined;
  /** Whose a new record becomes, where it is not who writes it. */
  memberId?: number | undefined;
}

export type RecordDraft = ReturnType<typeof useRecordDraft>;

/** What is written in the form of a record, or of a new one: kept in this browser until it is saved or discarded. */
export function useRecordDraft(type: DataType, record?: DataRecord) {
  const { uuid, me } = useWorkspace();
  const place = `${uuid}:${me.id}:record:${type.id}:${record?.id ?? 'new'}`;
  const [draft, setDraft] = useState<Draft>(() => readDraft<Draft>(place) ?? { written: {} });
  // What is written while a request goes on is in no closure of that request.
  const newest = useRef(draft);
  const isEmpty = ({ written, memberId }: Draft) =>
    Object.keys(written).length === 0 && memberId === undefined;
  const keep = (changed: Partial<Draft>) => {
    const next = { ...newest.current, ...changed };
    newest.current = next;
    setDraft(next);
    keepDraft(place, isEmpty(next) ? undefined : next);
  };
  return {
    ...draft,
    isEmpty: isEmpty(draft),
    /** Whether the record is another than the one that somebody began to change. */
    isOutdated: !isEmpty(draft) && draft.since !== record?.updatedAt,
    write(slug: string, value: unknown): void {
      const { written } = newest.current;
      const since = Object.keys(written).length === 0 ? record?.updatedAt : newest.current.since;
      keep({ written: { ...written, [slug]: value }, since });
    },
    choose: (memberId: number | undefined) => keep({ memberId }),
    discard: () => keep({ written: {}, memberId: undefined }),
    /** What was sent is stored; what was written since then stays. */
    saved(sent: Values, updatedAt: string): void {
      const left = Object.entries(newest.current.written).filter(([slug, value]) => sent[slug] !== value);
      keep({ written: Object.fromEntries(left), since: updatedAt });
    },
  };
}
