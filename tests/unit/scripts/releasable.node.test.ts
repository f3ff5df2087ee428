import { describe, expect, it } from 'vitest';
import { refusals } from '../../../scripts/release/releasable.mjs';

const manifest = {
  name: 'unspool',
  version: '1.2.3',
  repository: { type: 'git', url: 'git+https://forge.example/unspool.git' },
  homepage: 'https://forge.example/unspool',
  bugs: { url: 'https://forge.example/unspool/issues' },
};
const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n\n- New.\n\n## [1.2.2] - 2026-11-01\n\n- Old.\n';
const release = { manifest, changelog, changes: '' };

describe('refusals', () => {
  it('lists nothing if everything is in order', () => {
    expect(refusals(release)).toEqual([]);
  });

  it('lists a placeholder address', () => {
    const placeholder = { ...manifest, homepage: 'https://example.invalid/unspool', bugs: { url: 'https://example.invalid/unspool/issues' } };
    expect(refusals({ ...release, manifest: placeholder })).toEqual([
      `"homepage" in package.json is the placeholder example.invalid: enter the project's address.`,
      `"bugs" in package.json is the placeholder example.invalid: enter the project's address.`,
    ]);
  });

  it('lists a missing repository', () => {
    expect(refusals({ ...release, manifest: { ...manifest, repository: undefined } })).toEqual(['package.json has no "repository".']);
  });

  it('lists a missing dated section for the version in the changelog', () => {
    const reason = 'CHANGELOG.md has no section "## [1.2.3] - YYYY-MM-DD".';
    expect(refusals({ ...release, changelog: changelog.replace('[1.2.3]', '[1.2.4]') })).toEqual([reason]);
    expect(refusals({ ...release, changelog: changelog.replace(' - 2026-12-01', '') })).toEqual([reason]);
  });

  it('lists changes still marked as unreleased', () => {
    const text = changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n- Newer.\n');
    expect(refusals({ ...release, changelog: text })).toEqual(['CHANGELOG.md lists changes under "Unreleased": move them to the version.']);
  });

  it('lists a tag that names another version', () => {
    expect(refusals(release, 'v1.2.3')).toEqual([]);
    expect(refusals(release, 'v1.2.4')).toEqual(['The tag is v1.2.4, and the version in package.json 1.2.3.']);
  });

  it('lists uncommitted changes', () => {
    expect(refusals({ ...release, changes: ' M package.json\n' })).toEqual(['There are changes that are not committed.']);
  });
});
