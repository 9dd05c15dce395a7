//! Functions and arrows.

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, FormalParameter, FormalParameters,
    Function as Source, FunctionBody as SourceBody, Statement,
};
use oxc_span::Span;

use super::redeclaration::Declared;
use super::{Lowering, binding_of, range};
use crate::source::ir::{BindingId, Function, FunctionBody, FunctionId, Parameter, Pattern, PatternId};

/// What the kinds of functions do not share.
struct Shape<'x, 'a> {
    span: Span,
    name: Option<&'a str>,
    own_binding: Option<BindingId>,
    is_arrow: bool,
    is_async: bool,
    is_generator: bool,
    params: &'x FormalParameters<'a>,
}

/// The parameters of a function.
struct Params {
    list: Box<[Parameter]>,
    rest: Option<PatternId>,
    bindings: Box<[BindingId]>,
}

impl<'a> Lowering<'_, 'a> {
    /// A function that has a body. Without one (an overload, a declaration) there is nothing to run.
    pub(super) fn function(&mut self, it: &Source<'a>) -> Option<FunctionId> {
        let body = it.body.as_ref()?;
        let own = it.id.as_ref().filter(|_| it.is_expression()).and_then(|id| id.symbol_id.get());
        if let Some(seen) = own.and_then(|symbol| self.declared.get_mut(symbol.index())) {
            *seen = true;
        }
        let shape = Shape {
            span: it.span,
            name: it.id.as_ref().map(|id| id.name.as_str()),
            own_binding: own.map(binding_of),
            is_arrow: false,
            is_async: it.r#async,
            is_generator: it.generator,
            params: &it.params,
        };
        Some(self.build(&shape, |lowering| lowering.function_body(body)))
    }

    pub(super) fn arrow(&mut self, it: &ArrowFunctionExpression<'a>) -> FunctionId {
        let shape = Shape {
            span: it.span,
            name: None,
            own_binding: None,
            is_arrow: true,
            is_async: it.r#async,
            is_generator: false,
            params: &it.params,
        };
        self.build(&shape, |lowering| match &it.body {
            ArrowFunctionBody::FunctionBody(body) => lowering.function_body(body),
            other => match other.as_expression() {
                Some(expression) => FunctionBody::Expr(lowering.expr(expression)),
                None => FunctionBody::Block(crate::source::ir::Block::default()),
            },
        })
    }

    fn function_body(&mut self, body: &SourceBody<'a>) -> FunctionBody {
        FunctionBody::Block(self.block(&body.statements))
    }

    fn build(&mut self, shape: &Shape<'_, 'a>, body: impl FnOnce(&mut Self) -> FunctionBody) -> FunctionId {
        let name = self.own_name(shape.name);
        let labels = std::mem::take(&mut self.labels);
        let first_var = self.vars.len();
        if !shape.is_arrow {
            self.reads_arguments.push(false);
        }
        self.function_depth += 1;
        let params = self.params(shape.params);
        let body = body(self);
        self.function_depth -= 1;
        let uses_arguments = !shape.is_arrow && self.reads_arguments.pop().unwrap_or(false);
        self.labels = labels;
        let var_bindings = self.vars.drain(first_var..).collect();
        self.push_function(Function {
            at: range(shape.span),
            name,
            own_binding: shape.own_binding,
            is_arrow: shape.is_arrow,
            is_async: shape.is_async,
            is_generator: shape.is_generator,
            params: params.list,
            rest: params.rest,
            param_bindings: params.bindings,
            var_bindings,
            body,
            uses_arguments,
        })
    }

    fn params(&mut self, it: &FormalParameters<'a>) -> Params {
        let first = self.lexical.len();
        let list = it.items.iter().map(|param| self.param(param)).collect();
        let rest = it.rest.as_ref().map(|rest| self.binding_pattern(&rest.rest.argument, Declared::Param));
        Params { list, rest, bindings: self.lexical.drain(first..).collect() }
    }

    fn param(&mut self, it: &FormalParameter<'a>) -> Parameter {
        let is_property = it.accessibility.is_some() || it.readonly || it.r#override;
        let property = match &it.pattern {
            BindingPattern::BindingIdentifier(id) if is_property => Some(self.atom(id.name.as_str())),
            _ => None,
        };
        let mut pattern = self.binding_pattern(&it.pattern, Declared::Param);
        if let Some(default) = &it.initializer {
            let naming = self.naming_of_pattern(&it.pattern);
            let default = self.named(default, naming);
            pattern = self.push_pattern(Pattern::Default { pattern, default }, it.span);
        }
        Parameter { pattern, property }
    }

    /// Statements in a place that runs like a function's body but is none: they have no labels around them.
    pub(super) fn static_block(&mut self, statements: &[Statement<'a>]) -> crate::source::ir::Block {
        let labels = std::mem::take(&mut self.labels);
        self.reads_arguments.push(false);
        self.function_depth += 1;
        let block = self.hoisting_block(statements);
        self.function_depth -= 1;
        self.reads_arguments.pop();
        self.labels = labels;
        block
    }
}
