import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ProblemError } from '../api.js';
import { followImport, ImportBroken, type ImportProgress, type ImportResult } from './lines.js';

/** Sends a form to an import. @returns the lines of its answer */
export type SendImport = (
  form: FormData,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;

export class ImportStopped extends Error {}

/** An import, or a dry run of one, as it goes on. */
export function useImport(send: SendImport, onEnd: () => void = () => {}) {
  const [progress, setProgress] = useState<ImportProgress>();
  const stopping = useRef(new AbortController());
  const run = useMutation<ImportResult, Error, FormData>({
    mutationFn: async (form) => {
      setProgress(undefined);
      stopping.current = new AbortController();
      const { signal } = stopping.current;
      try {
        return await followImport(await send(form, signal), setProgress);
      } catch (error) {
        if (signal.aborted) throw new ImportStopped();
        // A connection that breaks between lines.
        throw error instanceof ProblemError ? error : brokenBy(error as Error);
      }
    },
    onSettled: onEnd,
  });
  return { ...run, progress, stop: () => stopping.current.abort() };
}

const brokenBy = (error: Error): ImportBroken =>
  error instanceof ImportBroken ? error : new ImportBroken(undefined);
