import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answer, api, ProblemError, type Schemas } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { pathOf, type RevisionPath } from './queries.js';
import { useDraftKey } from './use-draft.js';

type Walk = Schemas['SimulationResponse'];
type Step = Schemas['SimulationStep'];

/** What was done so far, from when on. It is kept in this browser, and played again when the draft changes. */
interface Script {
  startsAt: string;
  steps: Step[];
}

export interface Player {
  walk: Walk | undefined;
  isPending: boolean;
  error: Error | null;
  /** Whether the draft still has a place for each step. */
  fits: boolean;
  /** Whether the agent said what it says before the draft was changed. */
  isOfBefore: boolean;
  take(step: Step, taken?: () => void): void;
  restart(): void;
}

interface Options {
  at: RevisionPath;
  /** Of the stored draft; undefined while it cannot be played. */
  etag: string | undefined;
  /** Whether the model may answer as the agent, which costs what it costs. */
  mayAskModel: boolean;
}

const newScript = (): Script => ({ startsAt: new Date().toISOString(), steps: [] });

/** Plays a revision step by step: each step walks from the beginning, by a script in which the answers of the model are kept. */
export function usePlayer({ at, etag, mayAskModel }: Options): Player {
  const key = `${useDraftKey(at)}:play`;
  const [script, setScript] = useState(() => readDraft<Script>(key) ?? newScript());
  const [walk, setWalk] = useState<Walk>();
  const [madeFor, setMadeFor] = useState(etag);
  const [hasModel, setHasModel] = useState(mayAskModel);
  const request = (from: Script, withModel: boolean) =>
    answer(
      api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}/simulate', {
        params: { path: pathOf(at) },
        body: {
          startsAt: from.startsAt,
          script: from.steps,
          model: withModel ? 'configured' : 'scripted',
          isTest: true,
        },
      }),
    );
  const play = useMutation({
    mutationFn: async (from: Script) => {
      try {
        return await request(from, hasModel);
      } catch (error) {
        if (!hasModel || !isAbout(error, '/model')) throw error;
        setHasModel(false);
        return request(from, false);
      }
    },
    onSuccess: (next, from) => {
      const played = { startsAt: from.startsAt, steps: next.script as Step[] };
      setWalk(next);
      setScript(played);
      keepDraft(key, played.steps.length === 0 ? undefined : played);
    },
  });
  const { mutate } = play;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another draft is played again by itself.
  useEffect(() => {
    if (etag === undefined) return;
    if (!script.steps.some(({ agent }) => agent !== undefined)) setMadeFor(etag);
    mutate(script);
  }, [etag, mutate]);
  return {
    walk: etag === undefined && play.isIdle ? undefined : walk,
    isPending: play.isPending,
    error: play.error,
    fits: !(play.error instanceof ProblemError && play.error.problem.code === 'step_not_used'),
    // A second step begins where the first one has led.
    take: (step, taken) => {
      if (play.isPending) return;
      mutate({ ...script, steps: [...script.steps, step] }, taken && { onSuccess: taken });
    },
    isOfBefore: etag !== undefined && madeFor !== etag,
    restart: () => {
      if (play.isPending) return;
      setMadeFor(etag);
      mutate(newScript());
    },
  };
}

const isAbout = (error: unknown, pointer: string): boolean =>
  error instanceof ProblemError && error.problem.errors?.some((one) => one.pointer === pointer) === true;
