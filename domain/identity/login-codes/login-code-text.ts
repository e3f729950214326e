const warning = 'Nobody from our side will ever ask you for it.';

/** The text of a login code by email and by SMS. The code comes first, where a notification shows it. */
export function loginCodeText(code: string): { subject: string; text: string; sms: string } {
  return {
    subject: `${code} is your sign-in code`,
    text: [
      `Your sign-in code is ${code}`,
      '',
      `It is good for ten minutes and for one use. ${warning}`,
      'If you did not ask for a code, somebody mistyped an address: you need not do anything.',
      '',
    ].join('\n'),
    sms: `${code} is your sign-in code, good for ten minutes. ${warning}`,
  };
}
