import type { AppUpdate } from './app-update.ts';

/** Offers to load a new version of the application. */
export function UpdatePrompt({ update }: { update: AppUpdate }) {
  return (
    <div class="update-prompt" role="status">
      {update.isWaiting.value && (
        <div class="update-prompt-card">
          <p>A new version is ready.</p>
          <button type="button" class="button button-primary" onClick={() => update.accept()}>
            Load it
          </button>
          <button type="button" class="button" onClick={() => update.dismiss()}>
            Later
          </button>
        </div>
      )}
    </div>
  );
}
