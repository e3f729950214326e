import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { AnswerFigures } from './answer-figures.js';
import { AssignmentsFigure } from './assignment-figures.js';
import { ChatsFigure, FailuresFigure, WaitingFigures } from './chat-figures.js';
import { CostsFigures, CreditsByFigures, CreditsFigure } from './cost-figures.js';
import styles from './figures.module.css';
import { daysUntilToday, type FiguresSearch, ranges } from './search.js';
import { useFigureTexts } from './texts.js';

/** What happened in the last days, in numbers, as far as the signed-in member may know. */
export function FiguresPage(): ReactNode {
  const texts = useFigureTexts();
  const { workspace, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/figures' });
  const navigate = useNavigate({ from: '/w/$workspace/figures' });
  const change = (changed: FiguresSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { days: count = 30 } = search;
  const days = daysUntilToday(count, workspace.timezone);
  return (
    <Page
      title={texts.title}
      acts={
        <label>
          <span className="unseen">{texts.range}</span>
          <select
            value={count}
            onChange={({ target }) => change({ days: ranges.find((one) => String(one) === target.value) })}
          >
            {ranges.map((range) => (
              <option key={range} value={range}>
                {texts.ranges[range]}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <p className="quiet">{filled(texts.zone, { zone: workspace.timezone })}</p>
      <div className={styles.figures}>
        {can('chats:read') ? (
          <>
            <ChatsFigure days={days} />
            <WaitingFigures />
            <AnswerFigures days={days} />
            <FailuresFigure days={days} />
          </>
        ) : null}
        {can('assignments:read') ? (
          <AssignmentsFigure
            days={days}
            workflow={search.workflow}
            onWorkflow={(workflow) => change({ workflow })}
          />
        ) : null}
        <CreditsFigure days={days} />
        <CreditsByFigures days={days} />
        <CostsFigures days={days} />
      </div>
    </Page>
  );
}
