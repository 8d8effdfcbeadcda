/**
 * Which exported declarations, and which members of them, nothing but tests uses.
 *
 * A member is used where it is read by its name. Values also flow: from a type of ours into another
 * one that has a member of that name, and what is read there is read here; into what is not ours (a
 * library, `generated/`, a parameter that takes anything), which reads all that it declares. Where
 * a value goes into a property of ours that takes anything, it is not followed any further: what
 * goes out whole by such a property has its reason in the list of the test. A member that is read
 * but never written is not found.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { filesBelow, read, ROOT } from './sourceTree.ts';

/** What carries a value from one thread to another, and reads nothing of it. */
const CARRIERS = new Set(['postMessage', 'structuredClone']);
const DEPTH_LIMIT = 6;
const { TypeFlags } = ts;
const PRIMITIVE = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BigIntLike
  | TypeFlags.BooleanLike | TypeFlags.ESSymbolLike | TypeFlags.Void | TypeFlags.Undefined
  | TypeFlags.Null | TypeFlags.Never;
const ANYTHING = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive;

type Member = ts.Declaration;

/** `file: Container.member` or `file: declaration`, sorted. `root`: another copy of the tree. */
export function unusedMembers(root = ROOT): string[] {
  const files = ['src', 'scripts'].flatMap((folder) => filesBelow(folder, '.ts'))
    .filter((path) => !path.startsWith(DASHBOARD));
  return new Members(root, '', files).findings();
}

const DASHBOARD = 'src/dashboard/';

/** The same of the dashboard, which is another program. Its client must have been made. */
export function unusedDashboardMembers(): string[] {
  const files = filesBelow(DASHBOARD).filter((path) => /\.tsx?$/.test(path));
  return new Members(ROOT, DASHBOARD, files).findings();
}

class Members {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #root: string;
  readonly #read = new Set<Member>();
  /** By a member, those whose values it holds. */
  readonly #sources = new Map<Member, Set<Member>>();
  readonly #paired = new Set<string>();
  readonly #escaped = new Set<ts.Type>();

  /** `place`: where the tsconfig.json is that these files are read by. */
  constructor(root: string, place: string, files: readonly string[]) {
    this.#root = root;
    const { options } = ts.parseJsonConfigFileContent(
      JSON.parse(read(join(place, 'tsconfig.json'))), ts.sys, join(root, place));
    this.#program = ts.createProgram(files.map((path) => join(root, path))
      .filter((path) => ts.sys.fileExists(path)), options);
    this.#checker = this.#program.getTypeChecker();
  }

  findings(): string[] {
    const own = this.#program.getSourceFiles().filter(({ fileName }) => this.#isOurs(fileName)
      || fileName.startsWith(join(this.#root, 'scripts/')));
    for (const file of own) this.#visit(file);
    this.#spread();
    return own.filter(({ fileName }) => this.#isOurs(fileName))
      .flatMap((file) => [...this.#declared(file)])
      .filter(({ node }) => !this.#read.has(node)).map(({ name }) => name).sort();
  }

  #isOurs(fileName: string): boolean {
    return fileName.startsWith(join(this.#root, 'src/'));
  }

  *#declared(file: ts.SourceFile): Iterable<{ name: string; node: Member }> {
    const path = file.fileName.slice(this.#root.length).replace(/^\//, '');
    for (const statement of file.statements) {
      if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(
        ({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      const nodes = ts.isVariableStatement(statement) ? statement.declarationList.declarations
        : [statement as ts.Statement & ts.Declaration];
      for (const node of nodes) {
        // Whoever imports the module takes it.
        if (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Default) continue;
        const container = (node as ts.NamedDeclaration).name?.getText() ?? 'default';
        yield { name: `${path}: ${container}`, node };
        for (const member of membersOf(node)) {
          yield { name: `${path}: ${container}.${member.name!.getText()}`, node: member };
        }
      }
    }
  }

  #visit(node: ts.Node): void {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) this.#identifier(node);
    if (ts.isElementAccessExpression(node)) this.#keyed(node.expression, node.argumentExpression);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
      this.#keyed(node.right, node.left);
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) this.#bound(node);
    if (ts.isHeritageClause(node)) this.#inherited(node);
    if (ts.isNamespaceImport(node)) this.#whole(node);
    if (ts.isObjectLiteralExpression(node)) this.#literal(node);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#call(node);
    if (ts.isExpression(node)) this.#flow(node);
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  /** A name counts where it is used: not where it is declared, passed on by export, or assigned. */
  #identifier(node: ts.Identifier | ts.PrivateIdentifier): void {
    const { parent } = node;
    if ((parent as ts.NamedDeclaration).name === node && !ts.isPropertyAccessExpression(parent)
      && !ts.isShorthandPropertyAssignment(parent)) return;
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)
      || ts.isPropertyAssignment(parent) && parent.name === node) return;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node && isAssigned(parent)) return;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(parent)
      : this.#checker.getSymbolAtLocation(node);
    for (const declaration of this.#declarationsOf(symbol)) {
      if (!isWithin(node, declaration)) this.#read.add(declaration);
    }
  }

  #declarationsOf(symbol: ts.Symbol | undefined): readonly Member[] {
    if (symbol === undefined) return [];
    const target = symbol.flags & ts.SymbolFlags.Alias
      ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return target.declarations ?? [];
  }

  /** `value[key]`, `key in value`: the members that the key may name. */
  #keyed(value: ts.Expression, key: ts.Node): void {
    const type = this.#checker.getTypeAtLocation(value);
    const keys = this.#checker.getTypeAtLocation(key);
    const names = (keys.isUnion() ? keys.types : [keys])
      .map((one) => (one.isStringLiteral() ? one.value : null));
    for (const property of type.getProperties()) {
      if (!names.includes(property.name) && !(names.includes(null) && isText(keys))) continue;
      for (const declaration of this.#declarationsOf(property)) this.#read.add(declaration);
    }
  }

  #bound(node: ts.BindingElement): void {
    if (node.dotDotDotToken !== undefined) return;
    const name = (node.propertyName ?? node.name).getText().replace(/^['"]|['"]$/g, '');
    const type = this.#checker.getTypeAtLocation(node.parent);
    for (const one of type.isUnion() ? type.types : [type]) {
      const property = this.#checker.getPropertyOfType(this.#checker.getApparentType(one), name);
      for (const declaration of this.#declarationsOf(property)) this.#read.add(declaration);
    }
  }

  #inherited(node: ts.HeritageClause): void {
    const type = this.#checker.getTypeAtLocation(node.parent);
    for (const base of node.types) this.#pair(type, this.#checker.getTypeAtLocation(base));
  }

  /** `import * as all`: what a module exports goes out together. */
  #whole(node: ts.NamespaceImport): void {
    const module = this.#checker.getSymbolAtLocation(node.parent.parent.moduleSpecifier);
    if (module === undefined) return;
    for (const symbol of this.#checker.getExportsOfModule(module)) {
      for (const declaration of this.#declarationsOf(symbol)) this.#read.add(declaration);
    }
  }

  /** `{ ...value }`, where the literal is to be of some type. */
  #literal(node: ts.ObjectLiteralExpression): void {
    const target = this.#checker.getContextualType(node);
    if (target === undefined) return;
    for (const one of node.properties.filter(ts.isSpreadAssignment)) {
      this.#pair(this.#checker.getTypeAtLocation(one.expression), target);
    }
  }

  /** Of a generic function of ours, what the parameter must have is what it reads. */
  #call(node: ts.CallExpression | ts.NewExpression): void {
    const declaration = this.#checker.getResolvedSignature(node)?.declaration;
    if (declaration === undefined || !this.#isOurs(declaration.getSourceFile().fileName)) return;
    for (const [index, parameter] of declaration.parameters.entries()) {
      const argument = node.arguments?.[index];
      if (argument === undefined || !ts.isParameter(parameter)) continue;
      const type = this.#checker.getTypeAtLocation(parameter);
      if (!isOpaque(type)) this.#pair(this.#checker.getTypeAtLocation(argument), type);
    }
  }

  #flow(node: ts.Expression): void {
    if (ts.isObjectLiteralExpression(node) || ts.isLiteralExpression(node)
      || ts.isFunctionExpression(node)) return;
    const parent = node.parent;
    if (ts.isCallExpression(parent) && parent.expression !== node
      && CARRIERS.has(parent.expression.getText().split('.').at(-1)!.replace('!', ''))) return;
    const target = this.#checker.getContextualType(node)
      ?? (ts.isBinaryExpression(parent) && parent.right === node
        ? this.#checker.getTypeAtLocation(parent.left) : undefined);
    if (target === undefined) return;
    const type = this.#checker.getTypeAtLocation(node);
    if (type === target) return;
    // A property of ours that takes anything: its reader is not known.
    if (isOpaque(target) && !(ts.isCallExpression(parent) || ts.isNewExpression(parent))) return;
    this.#pair(type, target);
  }

  #pair(source: ts.Type, target: ts.Type, depth = 0): void {
    if (source === target || depth > DEPTH_LIMIT || isPrimitive(source)) return;
    const key = `${idOf(source)} ${idOf(target)}`;
    if (this.#paired.has(key)) return;
    this.#paired.add(key);
    if (source.isUnion()) return source.types.forEach((one) => this.#pair(one, target, depth));
    if (target.isUnion()) return target.types.forEach((one) => this.#pair(source, one, depth));
    if (isOpaque(target)) return depth === 0 ? this.#escape(source) : undefined;
    if (isPrimitive(target)) return;
    if (isTypeParameter(target)) {
      const constraint = this.#checker.getBaseConstraintOfType(target);
      if (constraint !== undefined && !isOpaque(constraint)) this.#pair(source, constraint, depth);
      return;
    }
    const indexed = this.#checker.getIndexInfoOfType(target, ts.IndexKind.String)?.type;
    for (const property of this.#checker.getPropertiesOfType(source)) {
      if (!this.#declarationsOf(property).some((one) =>
        this.#isOurs(one.getSourceFile().fileName))) continue;
      const into = this.#checker.getPropertyOfType(target, property.name);
      if (into === undefined && indexed === undefined) continue;
      for (const declaration of this.#declarationsOf(property)) {
        if (into === undefined) this.#read.add(declaration);
        else this.#link(declaration, this.#declarationsOf(into));
      }
      this.#pair(this.#checker.getTypeOfSymbol(property),
        into === undefined ? indexed! : this.#checker.getTypeOfSymbol(into), depth + 1);
    }
    this.#arguments(source, target, depth);
    const [from] = source.getCallSignatures();
    const [to] = target.getCallSignatures();
    if (from !== undefined && to !== undefined) {
      this.#pair(from.getReturnType(), to.getReturnType(), depth + 1);
      for (const [index, parameter] of from.parameters.entries()) {
        const given = to.parameters[index];
        if (given === undefined) continue;
        this.#pair(this.#checker.getTypeOfSymbol(given),
          this.#checker.getTypeOfSymbol(parameter), depth + 1);
      }
    }
  }

  /** Promise<T>, T[], Map<K, V>: what is within. */
  #arguments(source: ts.Type, target: ts.Type, depth: number): void {
    const within = (type: ts.Type) =>
      this.#checker.getTypeArguments(type as ts.TypeReference).slice(0, 3);
    if (!isReference(source) || !isReference(target)) return;
    const into = within(target);
    for (const [index, one] of within(source).entries()) {
      if (into[index] !== undefined) this.#pair(one, into[index], depth + 1);
    }
  }

  #link(from: Member, into: readonly Member[]): void {
    for (const target of into) {
      if (target === from) continue;
      if (!this.#isOurs(target.getSourceFile().fileName)) this.#read.add(from);
      else this.#sources.set(target, (this.#sources.get(target) ?? new Set()).add(from));
    }
  }

  /** It goes out whole: all of it is read. */
  #escape(type: ts.Type, depth = 0): void {
    if (isPrimitive(type) || depth > DEPTH_LIMIT || this.#escaped.has(type)) return;
    this.#escaped.add(type);
    if (type.isUnion()) return type.types.forEach((one) => this.#escape(one, depth));
    if (isReference(type)) {
      for (const one of this.#checker.getTypeArguments(type)) this.#escape(one, depth + 1);
    }
    for (const property of type.getProperties()) {
      const declarations = this.#declarationsOf(property);
      if (!declarations.some((one) => this.#isData(one))) continue;
      for (const declaration of declarations) this.#read.add(declaration);
      this.#escape(this.#checker.getTypeOfSymbol(property), depth + 1);
    }
  }

  /** Of a class, and of what is not ours, nothing but methods goes out. */
  #isData(declaration: Member): boolean {
    return ts.isPropertyAssignment(declaration) || ts.isShorthandPropertyAssignment(declaration)
      || (ts.isPropertySignature(declaration)
        && this.#isOurs(declaration.getSourceFile().fileName));
  }

  #spread(): void {
    for (const member of this.#read) {
      for (const source of this.#sources.get(member) ?? []) this.#read.add(source);
    }
  }
}

function* membersOf(node: ts.Node): Iterable<ts.TypeElement | ts.ClassElement> {
  const lists: (readonly (ts.TypeElement | ts.ClassElement)[])[] = [];
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) lists.push(node.members);
  if (ts.isTypeAliasDeclaration(node)) {
    const collect = (type: ts.Node): void => {
      if (ts.isTypeLiteralNode(type)) lists.push(type.members);
      if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) type.types.forEach(collect);
    };
    collect(node.type);
  }
  for (const member of lists.flat()) {
    // A setter is there to be written.
    if (member.name !== undefined && ts.isIdentifier(member.name)
      && !ts.isSetAccessorDeclaration(member)) yield member;
  }
}

/** `a.b = 1` and, as a statement, `a.b += 1` read nothing that anybody sees. */
function isAssigned(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.left === node) {
    const { kind } = parent.operatorToken;
    return kind === ts.SyntaxKind.EqualsToken || (kind > ts.SyntaxKind.EqualsToken
      && kind <= ts.SyntaxKind.AsteriskAsteriskEqualsToken
      && ts.isExpressionStatement(parent.parent));
  }
  return (ts.isPostfixUnaryExpression(parent) || ts.isPrefixUnaryExpression(parent))
    && ts.isExpressionStatement(parent.parent);
}

/** A function that calls itself, a type that is made of itself. */
function isWithin(node: ts.Node, declaration: Member): boolean {
  const isWhole = ts.isFunctionDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)
    || ts.isTypeAliasDeclaration(declaration) || ts.isClassDeclaration(declaration)
    || ts.isMethodDeclaration(declaration);
  return isWhole && node.getSourceFile() === declaration.getSourceFile()
    && node.pos >= declaration.pos && node.end <= declaration.end;
}

function idOf(type: ts.Type): number {
  return (type as unknown as { id: number }).id;
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return Boolean((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference);
}

function isTypeParameter(type: ts.Type): boolean {
  return Boolean(type.flags & ts.TypeFlags.TypeParameter);
}

function isText(type: ts.Type): boolean {
  return Boolean(type.flags & ts.TypeFlags.String);
}

function isPrimitive(type: ts.Type): boolean {
  return Boolean(type.flags & PRIMITIVE);
}

function isOpaque(type: ts.Type): boolean {
  return Boolean(type.flags & ANYTHING)
    || (Boolean(type.flags & ts.TypeFlags.Object) && type.getProperties().length === 0
      && type.getCallSignatures().length === 0 && type.getStringIndexType() === undefined);
}
