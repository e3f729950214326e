/** A message in the list of the simulated carrier. */
export interface CarriedMessage {
  sequence: number;
  direction: string;
  from: string;
  to: string;
  body: string;
  status: string;
}

/** The member's phone in the simulated carrier. */
export class Handset {
  constructor(
    readonly carrier: string,
    readonly number: string,
  ) {}

  async messages(): Promise<CarriedMessage[]> {
    const query = new URLSearchParams({ handset: this.number });
    const response = await fetch(`${this.carrier}/simulator/messages?${query}`);
    return (await response.json()) as CarriedMessage[];
  }

  async write(to: string, body: string): Promise<void> {
    const response = await fetch(
      `${this.carrier}/simulator/handsets/${encodeURIComponent(this.number)}/messages`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ to, body }),
      },
    );
    if (!response.ok) throw new Error(`the simulated carrier answered ${response.status}`);
  }
}
