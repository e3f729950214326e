import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocale } from '../texts/texts.js';
import styles from './figures.module.css';
import { useFigureTexts } from './texts.js';

export interface DayValues {
  /** As YYYY-MM-DD. */
  day: string;
  /** In the order of the series. */
  values: readonly number[];
  /** What is told of the series in place of the values. */
  told?: readonly string[];
}

interface Props {
  /** What is counted, such as chats or USD. */
  unit: string;
  series: readonly string[];
  days: readonly DayValues[];
}

const height = 180;
const edge = { top: 24, bottom: 22, start: 44 };
const inner = height - edge.top - edge.bottom;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The least round number that all values fit below. */
function roundTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 6, 10].find((step) => step * power >= most) ?? 10) * power;
}

function dayName(day: string, locale: string): string {
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Date(day).toLocaleDateString(locale, options);
}

/** Bars of days, one series upon the other. The slider below tells the values of a day. */
export function DayPlot({ unit, series, days }: Props): ReactNode {
  const texts = useFigureTexts();
  const locale = useLocale();
  const [place, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const at = Math.min(chosen ?? days.length - 1, days.length - 1);
  const top = roundTop(Math.max(...days.map(({ values }) => sum(values))));
  const y = (value: number) => edge.top + inner - (value / top) * inner;
  const step = (width - edge.start) / days.length;
  const point = ({ nativeEvent }: PointerEvent) =>
    setChosen(Math.min(days.length - 1, Math.max(0, Math.floor((nativeEvent.offsetX - edge.start) / step))));
  const number = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 2 });
  const told = ({ day, values, told: texts = values.map(number) }: DayValues) =>
    `${dayName(day, locale)}: ${series.map((name, index) => `${name} ${texts[index]}`).join(', ')}`;
  const ticks = [0, top / 2, top].filter((tick) => Number.isInteger(tick) || top < 1);
  const labels = [
    { index: 0, share: 0, anchor: 'start' },
    { index: Math.floor((days.length - 1) / 2), share: 0.5, anchor: 'middle' },
    { index: days.length - 1, share: 1, anchor: 'end' },
  ] as const;
  const current = days[at];
  return (
    <div ref={place} className={styles.plot}>
      <svg width={width} height={height} aria-hidden="true" onPointerMove={point} onPointerDown={point}>
        <text x={0} y={12}>
          {unit}
        </text>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={edge.start} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={edge.start - 6} y={y(tick) + 4} textAnchor="end">
              {tick.toLocaleString(locale, { notation: 'compact' })}
            </text>
          </g>
        ))}
        {days.map(({ day, values }, index) => (
          <g key={day} className={styles.day} data-chosen={index === at}>
            {values.map((value, which) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a series is known by its place.
                key={which}
                data-series={which}
                x={edge.start + index * step + 1}
                width={Math.max(1, step - 2)}
                y={y(sum(values.slice(0, which + 1)))}
                height={(value / top) * inner}
              />
            ))}
          </g>
        ))}
        {labels.map(({ index, share, anchor }) => (
          <text key={anchor} x={edge.start + (index + share) * step} y={height - 6} textAnchor={anchor}>
            {dayName(days[index]?.day ?? '', locale)}
          </text>
        ))}
      </svg>
      <input
        type="range"
        aria-label={`${unit}, ${texts.day}`}
        aria-valuetext={current && told(current)}
        max={days.length - 1}
        value={at}
        onChange={({ target }) => setChosen(Number(target.value))}
      />
      <output>{current && told(current)}</output>
    </div>
  );
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(320);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return [place, width] as const;
}
