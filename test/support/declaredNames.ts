/** What the files of the repository declare outside of all functions. */
import ts from 'typescript';
import { read } from './sourceTree.ts';

export interface DeclaredName {
  name: string;
  path: string;
  is_exported: boolean;
  /** An interface, an alias or a class. */
  is_type: boolean;
}

/** The names that a file declares; what it passes on by `export … from` is declared elsewhere. */
export function declaredNames(path: string): DeclaredName[] {
  const tree = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  return tree.statements.flatMap((statement) => {
    const is_exported = ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? [])
      .some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const is_type = ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)
      || ts.isTypeAliasDeclaration(statement);
    return namesIn(statement).map((name) => ({ name, path, is_exported, is_type }));
  });
}

function namesIn(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundIn(name));
  }
  const { name } = statement as Partial<ts.DeclarationStatement>;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function boundIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    (ts.isBindingElement(element) ? boundIn(element.name) : []));
}
