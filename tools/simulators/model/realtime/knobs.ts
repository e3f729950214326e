import Type, { type Static } from 'typebox';
import { Chance, KnobBoard } from '../../support/knobs.js';
import { objectWith } from '../../support/read-json.js';

/** Described in `tools/simulators/README.md`. */
const RealtimeKnobValues = Type.Object({
  thinkMs: Type.Number(),
  deltaMs: Type.Number(),
  deltaEveryMs: Type.Number(),
  transcriptMs: Type.Number(),
  transcriptsSwapped: Chance,
  transcriptsFailing: Chance,
  silentResponses: Chance,
  refuse: Type.Union([Type.Number(), Type.Null()]),
  sessionSeconds: Type.Number(),
  seed: Type.Number(),
});
export type RealtimeKnobValues = Static<typeof RealtimeKnobValues>;

const defaults: RealtimeKnobValues = {
  thinkMs: 0,
  deltaMs: 200,
  deltaEveryMs: 2,
  transcriptMs: 0,
  transcriptsSwapped: false,
  transcriptsFailing: false,
  silentResponses: false,
  refuse: null,
  sessionSeconds: 3_600,
  seed: 1,
};

type Happening = 'transcriptsSwapped' | 'transcriptsFailing' | 'silentResponses';

export class RealtimeKnobs extends KnobBoard<RealtimeKnobValues> {
  constructor() {
    super(defaults);
  }

  get values(): RealtimeKnobValues {
    return this.of(undefined);
  }

  turn(body: unknown): RealtimeKnobValues {
    const given = objectWith(body, Object.keys(defaults)) as Partial<RealtimeKnobValues>;
    this.set(given);
    if (given.seed !== undefined) this.draws.reseed(given.seed);
    return this.values;
  }

  takes(knob: Happening): boolean {
    return this.happens(this.values[knob], knob, (left) => this.set({ [knob]: left }));
  }
}
