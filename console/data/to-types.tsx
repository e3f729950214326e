import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { useDataTexts } from './texts.js';

export function ToTypes(): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/data" params={{ workspace: uuid }}>
      {texts.toTypes}
    </Link>
  );
}
