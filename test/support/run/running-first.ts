import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/** A sequencer that begins with these files of a run: those that take longest. */
export function runningFirst(files: readonly string[]): TestSequencerConstructor {
  const isFirst = ({ moduleId }: TestSpecification) => files.some((file) => moduleId.endsWith(file));
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(specifications);
      return sorted.sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
    }
  };
}
