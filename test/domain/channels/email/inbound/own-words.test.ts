import { describe, expect, it } from 'vitest';
import { ownWords } from '../../../../../domain/channels/email/inbound/own-words.js';
import { processorMs } from '../../../../support/lib/processor-ms.js';

const question =
  'Hello Ana,\n\nyour appointment is on 12 November at 9:00. Do you agree to the operation, which will take about two hours?\n\n1. Rest.\n2. Drink **nothing**, and read [the form](https://clinic.example/form?id=1).\n\nWhen can you come?';
const earlier = 'My knee hurts since Monday. I cannot bend it any more.';
const thread = {
  texts: ['The Clinic\nMain Street 1', 'Unsubscribe', question, earlier],
  inbox: { address: 'desk@clinic.example', name: 'The Clinic' },
  sender: { address: 'ana@example.org', name: 'Ana Diaz' },
};
const marked = (text: string) => text.replace(/^/gm, '> ');
const answer = 'Yes, on Friday.';
const own = (text: string) => ownWords(text, thread).own;

/** From, Sent, To, Subject. */
const headers = {
  en: ['From', 'Sent', 'To', 'Subject'],
  de: ['Von', 'Gesendet', 'An', 'Betreff'],
  fr: ['De ', 'Envoyé ', 'À ', 'Objet '],
  es: ['De', 'Enviado', 'Para', 'Asunto'],
  it: ['Da', 'Inviato', 'A', 'Oggetto'],
  pt: ['De', 'Enviada em', 'Para', 'Assunto'],
  nl: ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
  da: ['Fra', 'Sendt', 'Til', 'Emne'],
  nb: ['Fra', 'Sendt', 'Til', 'Emne'],
  sv: ['Från', 'Skickat', 'Till', 'Ämne'],
  fi: ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
  et: ['Saatja', 'Saadetud', 'Adressaat', 'Teema'],
  pl: ['Od', 'Wysłano', 'Do', 'Temat'],
  cs: ['Od', 'Odesláno', 'Komu', 'Předmět'],
  hu: ['Feladó', 'Elküldve', 'Címzett', 'Tárgy'],
  ro: ['De la', 'Trimis', 'Către', 'Subiect'],
  hr: ['Šalje', 'Poslano', 'Prima', 'Predmet'],
  tr: ['Gönderen', 'Gönderildi', 'Kime', 'Konu'],
  ru: ['От', 'Отправлено', 'Кому', 'Тема'],
  uk: ['Від', 'Надіслано', 'Кому', 'Тема'],
  el: ['Από', 'Στάλθηκε', 'Προς', 'Θέμα'],
  ja: ['差出人', '送信日時', '宛先', '件名'],
  zh: ['发件人', '发送时间', '收件人', '主题'],
  ko: ['보낸 사람', '보낸 날짜', '받는 사람', '제목'],
  ar: ['من', 'تم الإرسال', 'إلى', 'الموضوع'],
  he: ['מאת', 'נשלח', 'אל', 'נושא'],
  th: ['จาก', 'ส่ง', 'ถึง', 'เรื่อง'],
  vi: ['Từ', 'Đã gửi', 'Đến', 'Chủ đề'],
  hi: ['प्रेषक', 'भेजा गया', 'प्रति', 'विषय'],
};

const attributions = [
  'On Mon, Nov 2, 2026 at 9:00 AM The Clinic <desk@clinic.example> wrote:',
  'On Mon, Nov 2, 2026 at 9:00 AM The Clinic\n<desk+r.abcdefghijklmnopqrstuvwxyz@clinic.example> wrote:',
  'On Monday, 2 November 2026 at 09:00\nThe Clinic <desk@clinic.example> wrote:',
  'Am 02.11.26 um 09:00 schrieb The Clinic:',
  'Am Mo., 2. Nov. 2026 um 09:00 Uhr schrieb The Clinic <desk@clinic.example>:',
  'Le lun. 2 nov. 2026 à 09:00, The Clinic <desk@clinic.example> a écrit :',
  'El lun, 2 nov 2026 a las 9:00, The Clinic (<desk@clinic.example>) escribió:',
  'ma 2. marrask. 2026 klo 9.00 The Clinic (desk@clinic.example) kirjoitti:',
  'po 2. 11. 2026 v 9:00 odesílatel The Clinic <desk@clinic.example> napsal:',
  'W dniu 02.11.2026 o 09:00, The Clinic pisze:',
  'The Clinic <desk@clinic.example> ezt írta (időpont: 2026. nov. 2., H, 9:00):',
  '2 Kas 2026 Pzt, 09:00 tarihinde The Clinic <desk@clinic.example> şunu yazdı:',
  'пн, 2 нояб. 2026 г. в 09:00, The Clinic <desk@clinic.example>:',
  '2026年11月2日(月) 9:00 The Clinic <desk@clinic.example>:',
  'The Clinic <desk@clinic.example> 于2026年11月2日周一 09:00写道：',
  '2026년 11월 2일 (월) 오전 9:00, The Clinic <desk@clinic.example>님이 작성:',
  'ในวันที่ จ. 2 พ.ย. 2026 เวลา 9:00 The Clinic <desk@clinic.example> เขียนว่า:',
  '\u202bفي الاثنين، 2 نوفمبر 2026 في 9:00 ص تمت كتابة ما يلي بواسطة \u202aThe Clinic\u202c\u200f <\u202adesk@clinic.example\u202c\u200f>:\u202c',
];

describe('what is quoted of a thread', () => {
  it.each(Object.entries(headers))(
    'below a header of Outlook in %s is not of the sender',
    (_language, labels) => {
      const [from, sent, to, subject] = labels;
      const text = `${answer}\n\n${from}: The Clinic <desk@clinic.example>\n${sent}: 2 November 2026 09:00\n${to}: Ana <ana@example.org>\n${subject}: Re: Knee\n\n${question}\n\n-- \nThe Clinic\nMain Street 1\n\nUnsubscribe <https://api.example/x>\n\n${from}: Ana Diaz\n${sent}: 1 November 2026 08:00\n${to}: The Clinic\n${subject}: Knee\n\n${earlier}\n`;
      expect(ownWords(text, thread)).toEqual({ own: answer, whole: text.trim() });
      const wide = text
        .replaceAll(/^([^\n:]{1,20}): /gm, '*$1：* ')
        .replace(answer, `${answer}\n\n________________________________`);
      expect(own(wide)).toBe(answer);
      const named = text.replaceAll(/ <[a-z]+@[a-z.]+>/g, '');
      expect(own(named)).toBe(answer);
    },
  );

  it.each(attributions)('below "%s" is not of the sender', (line) => {
    for (const quoted of [marked(question), `${marked(line)}\n> \n${marked(question)}`, question]) {
      const text = `${answer}\n\n${line}\n\n${quoted}\n`;
      expect(ownWords(text, thread)).toEqual({ own: answer, whole: text.trim() });
    }
  });

  it.each([
    [
      'wrapped',
      'Hello Ana,\nyour appointment is on 12 November at\n9:00. Do you agree to\nthe operation, which will take about two hours?',
    ],
    [
      'with the links of HTML',
      '1. Rest.\n2. Drink *nothing*, and read the form\n<https://clinic.example/form?id=1>.',
    ],
    ['a sentence of it', 'When can you come?'],
    ['nested', '> My knee hurts since Monday. I cannot bend it any more.'],
    [
      'with the signature',
      'When can you come?\n\n-- \nThe Clinic\nMain Street 1\n\nUnsubscribe: https://api.example/x',
    ],
  ])('is not of the sender %s', (_how, quoted) => {
    expect(own(`${answer}\n\n${marked(quoted)}`)).toBe(answer);
    expect(own(`${marked(quoted)}\n\n${answer}`)).toBe(answer);
  });

  it.each([
    '-----Original Message-----',
    '-----Ursprüngliche Nachricht-----',
    '-------- Alkuperäinen viesti --------',
    '---------- 原始邮件 ----------',
  ])('is not of the sender below %s', (line) => {
    const text = `${answer}\n\n${line}\nFrom: desk@clinic.example\nDate: 2 Nov 2026\nTo: ana@example.org\nSubject: Knee\n\n${question}`;
    expect(own(text)).toBe(answer);
  });
});

describe('the own words of a sender', () => {
  const forwarded =
    'From: Dr. Bone <bone@hospital.example>\nDate: 1 Nov 2026\nTo: Ana <ana@example.org>\nSubject: X-ray\n\nThe knee is broken in two places.';
  it.each([
    [
      'below a rule',
      'Please see below.\n\n---\n\nI have chest pain since yesterday and cannot breathe well.',
    ],
    ['below a rule of underscores', 'Hello\n\n________________________________\n\nIt is my left knee.'],
    ['below a signature', 'On Friday.\n\n-- \nAna\n\nPS: I am allergic to penicillin!'],
    ['below a greeting', 'On Friday.\n\nBest regards\nAna\n\nPS: I am allergic to penicillin!'],
    ['below Cheers', 'Cheers\n\nIt began on Monday with fever of 40 degrees.'],
    ['below the line of a phone', 'Sent from my phone\n\nI also have a rash.'],
    ['that look quoted', 'My blood pressure today\n>180 in the morning\n>190 in the evening'],
    ['that look like a header', 'Name: Ana Diaz\nPulse: 90\nDate: 2 November 2026\nTemperature: 39.5'],
    ['with what somebody else wrote', `Begin forwarded message:\n\n${forwarded}`],
    ['above it', `See the report below, is it bad?\n\n-------- Original Message --------\n${forwarded}`],
    [
      'with a mark before it',
      `Is it bad?\n\nOn 1 Nov 2026, Dr. Bone <bone@hospital.example> wrote:\n${marked('The knee is broken.')}`,
    ],
  ])('are all that it wrote %s, in an answer and in a first mail', (_what, text) => {
    for (const known of [thread, null]) expect(ownWords(text, known)).toEqual({ own: text, whole: null });
    for (const quotation of [
      `On Mon, 2 Nov 2026 The Clinic <desk@clinic.example> wrote:\n${marked(question)}`,
      `Von: The Clinic <desk@clinic.example>\nGesendet: 2. November 2026\nAn: Ana\nBetreff: Knie\n\n${question}`,
    ]) {
      expect(own(`${text}\n\n${quotation}`)).toBe(text);
    }
  });

  it.each([
    ['a name above', 'Name: Ana Diaz\nPulse: 90\nTemperature: 39.5\n\nOn 2 Nov 2026 The Clinic wrote:'],
    [
      'values above',
      'Pulse: 90\nFever: 40\nSince: Monday\nVon: The Clinic <desk@clinic.example>\nGesendet: 2. Nov\nAn: Ana\nBetreff: x',
    ],
  ])('stay with %s of what is quoted', (_what, text) => {
    const left = own(`${text}\n${text.endsWith('wrote:') ? marked(question) : question}`);
    expect(left.split('\n').slice(0, 3)).toEqual(text.split('\n').slice(0, 3));
  });

  it.each([
    [
      'marked',
      `> Do you agree to the operation, which will take about two hours?\n\nYes.\n\n> When can you come?\n\nNo, at ten.`,
    ],
    ['below lines of it', `Here:\n\n> When can you come?\n\nOn Friday.`],
    ['between two lines', '> Rest.\nFor how long?\n> When can you come?'],
    [
      'in the text of Outlook',
      `My answers:\n\nFrom: The Clinic <desk@clinic.example>\nSent: Monday\nTo: Ana\nSubject: Knee\n\nDo you agree to the operation, which will take about two hours?\nYes\nWhen can you come?\nNo\n1. Rest.`,
    ],
  ])('keep what is quoted where they answer it line by line: %s', (_how, text) => {
    expect(ownWords(text, thread)).toEqual({ own: text, whole: null });
  });

  it('stay where they have the mark of a quotation', () => {
    const words = '> On Friday at ten, if that suits you.';
    expect(own(`> When can you come?\n${words}`)).toBe(words);
  });

  it('are the whole where nothing else is written, and where nothing is quoted', () => {
    expect(ownWords(marked(question), thread)).toEqual({ own: marked(question), whole: null });
    expect(ownWords(' Hello.\n\nOn Friday? \n', thread)).toEqual({
      own: 'Hello.\n\nOn Friday?',
      whole: null,
    });
    expect(ownWords('', thread)).toEqual({ own: '', whole: null });
  });

  it('are the whole in a mail that answers none of ours', () => {
    const text = `${answer}\n\nOn Monday, The Clinic <desk@clinic.example> wrote:\n${marked(question)}`;
    expect(ownWords(text, null)).toEqual({ own: text, whole: null });
  });

  const letters = 'abcdefghijklmnop';
  it.each([
    ['marks', '> '],
    ['marked lines', '>\n'],
    ['lines', 'On \n'],
    ['headers', 'From: desk@clinic.example\n'],
    ['addresses', '<desk@clinic.example>:\n'],
    ['colons', ':'],
    ['rules', '-'],
    ['one letter', 'a'],
    ['one letter in marked lines', `> ${'a'.repeat(60)}\n`],
    ['addresses of pages', 'https://a'],
    ['brackets', '[image:'],
    ['letters that change in forms', '\u0344\ufdfa'],
    ['beginnings of quotations', 'On Monday '],
  ])('are found soon in a mebibyte of %s, and in as much of a thread', (_what, part) => {
    for (const length of [90_000, 1_048_576]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      const known = { ...thread, texts: [text, letters.repeat(10_000), ...thread.texts] };
      const time = processorMs(() => ownWords(`${answer}\n${text}`, known));
      expect(time).toBeLessThan(3_000);
    }
  });
});
