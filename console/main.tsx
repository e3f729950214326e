import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../api/html/account/assets/tokens.css';
import './kit/base.css';
import { router } from './app/router.js';
import { queryClient } from './kit/query-client.js';
import { TextsProvider } from './texts/texts.js';

const place = document.getElementById('console');
if (place === null) throw new Error('The page has no place for the console.');
createRoot(place).render(
  <StrictMode>
    <TextsProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TextsProvider>
  </StrictMode>,
);
