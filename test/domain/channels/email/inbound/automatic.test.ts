import { describe, expect, it } from 'vitest';
import { automaticReason } from '../../../../../domain/channels/email/inbound/automatic.js';
import { headerOf } from './mails.js';

const reasonOf = (lines: string[], from: string | null = 'ana@example.org') =>
  automaticReason(headerOf('Subject: Hello', ...lines).fields, from);

describe('a mail', () => {
  it.each([
    ['auto_submitted', 'Auto-Submitted: auto-replied'],
    ['auto_submitted', 'Auto-Submitted: Auto-Generated; owner=x'],
    ['precedence', 'Precedence: bulk'],
    ['precedence', 'Precedence: Auto_Reply'],
    ['autoreply', 'X-Autoreply: yes'],
    ['autoreply', 'X-Autoresponder: vacation 1.0'],
    ['autoreply', 'X-Autorespond: 1'],
    ['response_suppressed', 'X-Auto-Response-Suppress: All'],
    ['mailing_list', 'List-Id: <friends.lists.example>'],
    ['mailing_list', 'List-Unsubscribe: <https://lists.example/u>'],
    ['empty_return_path', 'Return-Path: <>'],
    ['report', 'Content-Type: multipart/report; report-type=delivery-status; boundary=x'],
  ])('is automatic (%s) with %s', (reason, line) => {
    expect(reasonOf([line])).toBe(reason);
  });

  it.each([
    'noreply@shop.example',
    'no-reply@shop.example',
    'do-not-reply@shop.example',
    'no_reply+123@shop.example',
    'mailer-daemon@mx.example',
    'postmaster@mx.example',
    'bounces+7@mx.example',
  ])('is automatic if it is from %s', (from) => {
    expect(reasonOf([], from)).toBe('no_reply_sender');
  });

  it.each([
    ['nothing special', []],
    ['Auto-Submitted: no', ['Auto-Submitted: no']],
    ['X-Autoreply: no', ['X-Autoreply: no']],
    ['Precedence: first-class', ['Precedence: first-class']],
    ['a return path', ['Return-Path: <ana@example.org>']],
  ])('is by a person with %s', (_what, lines) => {
    expect(reasonOf(lines)).toBeNull();
    expect(reasonOf(lines, null)).toBeNull();
    expect(reasonOf(lines, 'norbert@example.org')).toBeNull();
  });
});
