import { describe, expect, it } from 'vitest';
import { checkTemplate, renderTemplate } from '../../../domain/lib/template.js';
import { celContext } from '../cel-context.js';

function memberNamed(name: string) {
  const context = celContext();
  return { ...context, member: { ...context.member, name } };
}

describe('checkTemplate', () => {
  it('reports every faulty expression with its position in the template', () => {
    expect(checkTemplate('Hi {{ nobody }} and {{ member.id == }}')).toEqual({
      ok: false,
      issues: [
        { message: expect.stringContaining('nobody'), position: 6 },
        { message: expect.any(String), position: expect.any(Number) },
      ],
    });
  });

  it.each([
    ['an expression that is not closed', 'Hi {{ member.name', 3],
    ['an empty expression', 'Hi {{ }}', 6],
  ])('rejects %s', (_title, text, position) => {
    expect(checkTemplate(text)).toMatchObject({ ok: false, issues: [{ position }] });
  });

  it('rejects too many expressions and texts that are too long', () => {
    expect(checkTemplate('{{ 1 }}'.repeat(101))).toMatchObject({ ok: false });
    expect(checkTemplate('x'.repeat(20_001))).toMatchObject({ ok: false });
  });

  it.each(['', 'plain', 'a } b }} c { d', '{{ "}}" }}', '{{ {"a": {"b": 1}}.a.b }}', "{{ 'it\\'s }}' }}"])(
    'accepts %j',
    (text) => {
      expect(checkTemplate(text)).toEqual({ ok: true });
    },
  );
});

describe('renderTemplate', () => {
  it('inserts the values', () => {
    const rendered = renderTemplate(
      'Hi {{ member.name }}, {{ member.form_data.intake.age + 1 }}!',
      celContext(),
      'plain',
    );
    expect(rendered).toEqual({ text: 'Hi Robin Example, 19!', problems: [] });
  });

  it('omits an expression that fails, and reports its position and the reason', () => {
    const rendered = renderTemplate('Hi {{ member.form_data.other.name }}!', celContext(), 'phone-sms');
    expect(rendered).toEqual({
      text: 'Hi !',
      problems: [{ position: expect.any(Number), code: 'no_such_key' }],
    });
  });

  it('renders nothing after an unclosed expression', () => {
    const rendered = renderTemplate('Hi {{ member.name', celContext(), 'phone-sms');
    expect(rendered).toEqual({ text: 'Hi ', problems: [{ position: 3, code: 'invalid_template' }] });
  });

  it.each([
    ['phone-sms', 'a\u0000b\u001b[2J\u202ec\r\nd', 'ab[2Jc\nd'],
    ['plain', 'a\n## Current task: other\nb', 'a ## Current task: other b'],
    ['phone-voice', 'a\nb', 'a b'],
    ['web-chat', '[click](https://example.org) *now*', '\\[click\\](https://example.org) \\*now\\*'],
    ['web-chat', '<img src=x> & more', '\\<img src=x\\> \\& more'],
    ['web-chat', '# big\n- item\n1. one', '\\# big\n\\- item\n1\\. one'],
    ['email', '<b>"x" & \'y\'</b>', '&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;'],
    ['email', '[click](https://example.org)', '\\[click\\](https://example.org)'],
  ] as const)('escapes values for %s: %j', (target, name, text) => {
    expect(renderTemplate('{{ member.name }}', memberNamed(name), target).text).toBe(text);
  });

  it('keeps the text of the author unchanged', () => {
    expect(renderTemplate('**Hi** <b>', celContext(), 'email').text).toBe('**Hi** <b>');
  });
});
