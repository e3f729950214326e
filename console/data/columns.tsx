import { Link } from '@tanstack/react-router';
import type { Column } from '../kit/grid.js';
import { Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { filled } from '../texts/texts.js';
import type { DataRecord, DataType, Field } from './queries.js';
import type { DataTexts } from './texts/en.js';
import { FieldValue } from './value.js';

/** Further fields are read in the records: more columns than these nobody overlooks. */
export const mostColumns = 12;

const files = new Set<string>(['file', 'files']);
const widths: Partial<Record<Field['fieldType'], string>> = {
  boolean: '6rem',
  date: '8rem',
  time: '6rem',
  number: '7rem',
  integer: '7rem',
  textarea: '16rem',
};

/** Whether lists can be filtered and searched by a field. */
export const isIndexed = ({ shouldIndex, unique }: Field): boolean => shouldIndex === true || unique === true;

export function columnsOf(uuid: string, type: DataType, texts: DataTexts): Column<DataRecord>[] {
  return [
    {
      id: 'member',
      title: texts.member,
      width: '12rem',
      cell: ({ id, memberId, memberName = `#${memberId}`, retirement }) => (
        <>
          <Link
            to="/w/$workspace/data/$typeId"
            params={{ workspace: uuid, typeId: String(type.id) }}
            search={(before) => ({ ...before, record: id })}
            aria-label={filled(texts.openRecord, { id, member: memberName })}
          >
            {memberName}
          </Link>{' '}
          {retirement === undefined ? null : <Status>{texts.retired}</Status>}
        </>
      ),
    },
    ...type.fields.slice(0, mostColumns).map(columnOf),
    { id: 'externalId', title: texts.externalId, width: '9rem', cell: ({ externalId }) => externalId },
    {
      id: 'updatedAt',
      title: texts.updated,
      width: '11rem',
      sortBy: 'updatedAt',
      cell: ({ updatedAt }) => <At at={updatedAt} withDay />,
    },
  ];
}

function columnOf(field: Field): Column<DataRecord> {
  const { slug, name, fieldType } = field;
  const isSorted = isIndexed(field) && fieldType !== 'multiselect' && !files.has(fieldType);
  return {
    id: `field:${slug}`,
    title: name,
    width: widths[fieldType] ?? '11rem',
    ...(isSorted ? { sortBy: `field:${slug}` } : {}),
    cell: (record) => <FieldValue field={field} value={record.fieldValues[slug]} files={record.files} />,
  };
}
