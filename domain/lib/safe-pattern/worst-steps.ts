import type { PatternPart, PatternSequence } from './parse-pattern.js';

/** In how many ways a part can match from one position, and how many steps it takes to try all of them. */
interface Effort {
  ways: number;
  steps: number;
}

/** The maximum number of steps of a backtracking search for the pattern in a text of this length. */
export function worstSteps(
  { alternatives, anchored }: { alternatives: readonly PatternSequence[]; anchored: boolean },
  textLength: number,
): number {
  // An unanchored pattern is tried at every position.
  return effortOfChoice(alternatives, textLength).steps * (anchored ? 1 : textLength + 1);
}

function effortOfChoice(alternatives: readonly PatternSequence[], textLength: number): Effort {
  const efforts = alternatives.map((parts) => effortOfSequence(parts, textLength));
  return {
    ways: efforts.reduce((sum, { ways }) => sum + ways, 0),
    steps: efforts.reduce((sum, { steps }) => sum + steps, 0),
  };
}

/** Each part is tried again for every way in which the parts before it can match. */
function effortOfSequence(parts: PatternSequence, textLength: number): Effort {
  let ways = 1;
  let steps = 1;
  for (const part of parts) {
    const own = effortOfPart(part, textLength);
    steps += ways * own.steps;
    ways *= own.ways;
  }
  return { ways, steps };
}

function effortOfPart({ group, min, max }: PatternPart, textLength: number): Effort {
  const once = group === null ? { ways: 1, steps: 1 } : effortOfChoice(group, textLength);
  if (min === 1 && max === 1) return once;
  if (min === 0 && max === 1) return { ways: once.ways + 1, steps: once.steps + 1 };
  // A repeated part matches in one way each time, because the parser refuses other repeated groups.
  const most = Math.max(min, Math.min(max, textLength));
  return { ways: most - min + 1, steps: most * once.steps + 1 };
}
