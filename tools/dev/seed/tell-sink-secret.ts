/** Sets the signing secret of a receiver at the webhook sink, as one configures it in a real receiver. */
export async function tellSinkSecret(sink: string, hook: string, secret: string): Promise<void> {
  const response = await fetch(`${sink}/hooks/${hook}/secret`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) throw new Error(`the webhook sink answered ${response.status}`);
}
